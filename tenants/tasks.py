"""Tasks of this room, which may run twice at once without harm."""

from __future__ import annotations

from celery import shared_task
from redis.exceptions import RedisError

from tenants.services import (
    audit_sealing,
    passwords,
    purging,
    purging_namespaces,
    quotas,
    sessions,
    sign_ins,
    token_watch,
)
from tenants.services.uses import flush_uses


@shared_task(
    name="tenants.flush_token_uses", autoretry_for=(RedisError,), max_retries=3, default_retry_delay=5
)
def flush_token_uses() -> int:
    """Store the last uses of tokens."""
    return flush_uses()


@shared_task(name="tenants.watch_tokens")
def watch_tokens() -> int:
    """Tell of tokens that end soon, and end what is over or unused."""
    return token_watch.watch_tokens()


@shared_task(name="tenants.seal_audit")
def seal_audit() -> int:
    """Chain the audit records that wait for it."""
    return audit_sealing.seal_all()


@shared_task(name="tenants.keep_audit_months")
def keep_audit_months() -> int:
    """Open the months of the audit log that come, and drop those that were kept long enough."""
    return audit_sealing.keep_months()


@shared_task(name="tenants.clear_sessions")
def clear_sessions() -> int:
    """Delete what is left of sessions that are over."""
    return sessions.clear_sessions()


@shared_task(name=passwords.MAIL_LINKS, autoretry_for=(OSError,), max_retries=3, default_retry_delay=20)
def mail_links(email: str) -> int:
    """Send links for a new password to whoever has an account with this address."""
    return passwords.mail_links(email)


@shared_task(name="tenants.purge_deleted")
def purge_deleted() -> int:
    """Remove tenants and namespaces whose time of grace is over, as far as one turn goes."""
    return purging.purge_tenants() + purging_namespaces.purge_namespaces()


@shared_task(name="tenants.fold_usage")
def fold_usage() -> int:
    """Fold what was counted towards quotas into its totals, and warn where a limit is near."""
    return quotas.fold_usage()


@shared_task(name="tenants.note_usage")
def note_usage() -> int:
    """Note for today what each tenant uses."""
    return quotas.note_usage()


@shared_task(name=sign_ins.NOTE_REFUSALS)
def note_refusals() -> int:
    """Tell the audit logs of sign-ins that were refused."""
    return sign_ins.note_refusals()
