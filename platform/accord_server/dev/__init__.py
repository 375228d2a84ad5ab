"""What `make run` and the tests stand on: embedded PostgreSQL and Redis, and the supervisor."""
