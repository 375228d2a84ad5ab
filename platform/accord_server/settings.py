"""Django's settings, every variable part read from the settings table and nowhere else.

Environments differ by variables only. The rooms are named as strings; nothing of them is imported.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from csp.constants import NONE, SELF

from accord_server.kit import settings_table as table
from accord_server.kit.environment import Environment

if TYPE_CHECKING:
    from accord_server.kit.setting_types import DatabaseAddress

read = Environment(os.environ)

# Each row of the table is also a setting of the same name; `kit.configuration` hands them out.
globals().update({row.name: read(row) for row in table.SETTINGS})
UNKNOWN_VARIABLES = read.unknown()

BASE_DIR = Path(__file__).resolve().parent.parent.parent
IS_PUBLIC_HTTPS = read(table.PUBLIC_URL).startswith("https://")

SECRET_KEY = read(table.SECRET_KEY)
DEBUG = read(table.DEBUG)
ALLOWED_HOSTS = read(table.ALLOWED_HOSTS)
CSRF_TRUSTED_ORIGINS = [read(table.PUBLIC_URL)]

ROOT_URLCONF = "accord_server.urls"
WSGI_APPLICATION = "accord_server.wsgi.application"
# Clients lose the body of a redirected POST, so nothing is ever redirected to a slash.
APPEND_SLASH = False

INSTALLED_APPS = [
    "frontend",
    "registry",
    "tenants",
    "accord_server.kit",
    "rest_framework",
    "csp",
    "guardian",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "allauth",
    "tenants.accounts_app.AccountsConfig",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    # Before staticfiles, so that `runserver` serves static files exactly as production does.
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]

# Every entry is paid for by every request: the order is from the outside in.
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "guardian.backends.ObjectPermissionBackend",
]
# Nobody stands for strangers, and Django's user stays as it is.
ANONYMOUS_USER_NAME = None
GUARDIAN_MONKEY_PATCH_USER = False

MIDDLEWARE = [
    "accord_server.kit.request_id.RequestIdMiddleware",
    "accord_server.kit.lengths.LengthMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "accord_server.kit.errors.ErrorBoundary",
    # Sessions, forms, accounts and the policy for browsers: for pages alone, see the module.
    "accord_server.kit.page_middleware.PageMiddleware",
]
PAGE_MIDDLEWARE = [
    # A definition of 1,500 lines is 160 kB plain and 5 kB compressed; tokens in forms are masked.
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "csp.middleware.CSPMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "tenants.session_life.SessionLife",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]


def database(address: DatabaseAddress, *, age: int) -> dict[str, Any]:
    """Describe one database connection to Django."""
    milliseconds = read(table.DATABASE_STATEMENT_TIMEOUT) * 1000
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": address.name,
        "USER": address.user,
        "PASSWORD": address.password,
        "HOST": address.host,
        "PORT": address.port,
        "CONN_MAX_AGE": age,
        # Seen from the socket instead (`kit.live_connections`): the check costs a statement per request.
        "CONN_HEALTH_CHECKS": False,
        "OPTIONS": {
            "connect_timeout": read(table.DATABASE_CONNECT_TIMEOUT),
            "application_name": "accord",
            "options": f"-c statement_timeout={milliseconds}" if age else "",
            **dict(address.options),
        },
    }


# `default` is the application role, which serves; `owner` owns the tables, which only `migrate`
# needs. A process without the owner's address cannot migrate, and says so.
DATABASES = {"default": database(read(table.DATABASE_URL), age=read(table.DATABASE_CONNECTION_AGE))}
if read(table.OWNER_DATABASE_URL).name:
    DATABASES["owner"] = database(read(table.OWNER_DATABASE_URL), age=0)
DATABASE_ROUTERS = ["accord_server.kit.database_router.OwnerMigrates"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGE_CODE = "en"

LOGIN_URL = "/sign-in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = LOGIN_URL
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": read(table.PASSWORD_LENGTH)},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_RESET_TIMEOUT = 24 * table.HOUR

# People sign in through allauth, at addresses and on pages of ours (`frontend.account_urls`).
ACCOUNT_ADAPTER = "tenants.sign_in.SignIn"
ACCOUNT_FORMS = {
    "login": "frontend.account_forms.SignInForm",
    "change_password": "frontend.account_forms.ChangePassword",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
# Nobody is told that an address has no account, and none but the invited are let in.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
# Attempts are counted by `kit.attempts`, for all processes; a cache of ours there is none.
ACCOUNT_RATE_LIMITS = False
ACCOUNT_SESSION_REMEMBER = True

MFA_ADAPTER = "tenants.second_factors.SecondFactors"
MFA_FORMS = {
    "authenticate": "frontend.factor_forms.SecondFactor",
    "reauthenticate": "frontend.factor_forms.ConfirmByCode",
    "activate_totp": "frontend.factor_forms.ActivateApp",
    "add_webauthn": "frontend.factor_forms.AddPasskey",
    "edit_webauthn": "frontend.factor_forms.RenamePasskey",
    "login_webauthn": "frontend.factor_forms.SignInByPasskey",
    "authenticate_webauthn": "frontend.factor_forms.SecondPasskey",
    "reauthenticate_webauthn": "frontend.factor_forms.ConfirmByPasskey",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_USER_VERIFICATION = "required"
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_TOTP_ISSUER = "Accord"
# Clocks differ: the code before and the one after are good too, and each is good once.
MFA_TOTP_TOLERANCE = 1
MFA_RATE_LIMITS = False

SOCIALACCOUNT_ADAPTER = "tenants.identities.Identities"
SOCIALACCOUNT_REAUTHENTICATION_REQUIRED = True
SOCIALACCOUNT_LOGIN_ON_GET = True  # our view takes POST alone
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [one.app() for one in read(table.OIDC_PROVIDERS)],
    }
}

EMAIL_HOST = read(table.EMAIL_URL).host
EMAIL_PORT = read(table.EMAIL_URL).port
EMAIL_HOST_USER = read(table.EMAIL_URL).user
EMAIL_HOST_PASSWORD = read(table.EMAIL_URL).password
EMAIL_USE_SSL = read(table.EMAIL_URL).is_tls
EMAIL_USE_TLS = read(table.EMAIL_URL).starts_tls
EMAIL_TIMEOUT = 20

SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_AGE = read(table.SESSION_HOURS) * table.HOUR
SESSION_COOKIE_NAME = "accord_session"
SESSION_COOKIE_SECURE = IS_PUBLIC_HTTPS
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = "accord_csrf"
CSRF_COOKIE_SECURE = IS_PUBLIC_HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "frontend.views.errors.csrf_failure"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 31_536_000 if IS_PUBLIC_HTTPS else 0
# Clients hold plain addresses inside the cluster; a redirect would lose their bodies.
SECURE_SSL_REDIRECT = False
SILENCED_SYSTEM_CHECKS = [
    "security.W002",  # the policy for browsers says frame-ancestors 'none'
    "security.W003",  # the check of forms runs, inside PageMiddleware
    "security.W005",  # sub-domains are not ours to speak for
    "security.W008",  # see SECURE_SSL_REDIRECT
    "security.W009",  # accord.E001 looks at the secret
    "security.W021",  # as W005
]
if read(table.BEHIND_PROXY):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    },
}

# The body is limited before Django sees it (`kit.intake`); this is the same bound a second time.
DATA_UPLOAD_MAX_MEMORY_SIZE = max(read(table.BODY_LIMIT), read(table.DESCRIPTOR_LIMIT))
FILE_UPLOAD_MAX_MEMORY_SIZE = read(table.BODY_LIMIT)
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
DATA_UPLOAD_MAX_NUMBER_FILES = 10

STATIC_URL = "/static/"
# Plain files straight from the packages, so that a fresh checkout serves without a build step.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "EXCEPTION_HANDLER": "accord_server.kit.errors.handle_rest_exception",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_SCHEMA_CLASS": "accord_server.kit.openapi.NativeSchema",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "TITLE": "Accord: native interface",
    "VERSION": "1",
    "DESCRIPTION": "The native API: tenants, people, access, policies, checks and all else that is managed.",
    "SERVERS": [{"url": "/api/v1"}],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SCHEMA_PATH_PREFIX_TRIM": True,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "GENERIC_ADDITIONAL_PROPERTIES": None,
    "SORT_OPERATION_PARAMETERS": False,
    "POSTPROCESSING_HOOKS": ["accord_server.kit.openapi.strip_marks"],
    "APPEND_COMPONENTS": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
}

# Loaded by `kit.apps`, so that every process that stores a side effect can tell a worker.
CELERY_APP_MODULE = "accord_server.celery"
CELERY_BROKER_URL = read(table.REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": read(table.TASK_VISIBILITY_TIMEOUT),
    "socket_connect_timeout": 2,
    "socket_timeout": 5,
    "socket_keepalive": True,
    "health_check_interval": 10,
}
# Results live in rows of ours (`CheckRun`, `Job`), never in the broker that may lose them.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TASK_DEFAULT_QUEUE = "jobs"
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = TIME_ZONE

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {"()": "accord_server.kit.logs.JsonFormatter"},
        "text": {"()": "accord_server.kit.logs.TextFormatter"},
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": read(table.LOG_FORMAT)},
    },
    "root": {"handlers": ["stderr"], "level": read(table.LOG_LEVEL)},
    "loggers": {
        # The error boundary logs what matters, with the request's id; Django's lines repeat it.
        "django.request": {"level": "CRITICAL"},
        "django.server": {"handlers": ["stderr"], "propagate": False},
    },
}
