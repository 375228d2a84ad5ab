"""What all rooms share: scope, errors to HTTP, paging, cache, outbox, settings table."""
