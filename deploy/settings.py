"""The site's settings. Every variable it reads stands in the README."""

from __future__ import annotations

from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from deploy.env import (
    env_bool,
    env_int,
    env_one_of,
    env_str,
    kept_secret,
    log_format,
    own_file,
    public_url,
)
from deploy.storage_files import file_storages

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env_str("SHEEPFOLD_DATA") or BASE_DIR / "var").resolve()
PUBLIC_URL = env_str("PUBLIC_URL")
PRODUCTION = bool(PUBLIC_URL)
DEBUG = env_bool("DEBUG")
SECRET_KEY = env_str("SECRET_KEY")

if PRODUCTION and DEBUG:
    raise ImproperlyConfigured("DEBUG=1 is refused where PUBLIC_URL is set.")
if PRODUCTION and not SECRET_KEY:
    raise ImproperlyConfigured("SECRET_KEY must be set where PUBLIC_URL is set.")
SECRET_KEY = SECRET_KEY or kept_secret(DATA_DIR)

FORCE_SCRIPT_NAME: str | None = None
if PRODUCTION:
    ORIGIN, HOST, FORCE_SCRIPT_NAME = public_url(PUBLIC_URL)
    ALLOWED_HOSTS = [HOST]
    CSRF_TRUSTED_ORIGINS = [ORIGIN]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = ORIGIN.startswith("https:")
    SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = f"{FORCE_SCRIPT_NAME}/"
    SECURE_HSTS_SECONDS = env_int("HSTS_SECONDS", 31_536_000) if SESSION_COOKIE_SECURE else 0
    # W005, W021: other names of the domain are its owner's to decide about. W008: the proxy sends
    # plain HTTP on; one that forgets X-Forwarded-Proto would be sent round in a circle from here.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]
else:
    ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
PREFIX = FORCE_SCRIPT_NAME or ""

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "drf_spectacular",
    "csp",
    "django_tasks",
    "django_tasks_db",
    "annotation",
    "agreement",
    "writing",
    "backup",
]
MIDDLEWARE = [
    "annotation.middleware_log.RequestLogMiddleware",
    "annotation.middleware_health.HealthMiddleware",
    "annotation.middleware_headers.HeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "annotation.middleware.GateMiddleware",
]
ROOT_URLCONF = "deploy.urls"
WSGI_APPLICATION = "deploy.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

SQLITE_OPTIONS = {
    # A reader that turns writer in a deferred transaction dies with "database is locked".
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA busy_timeout=20000;",
}
if env_str("DATABASE_URL"):
    DATABASES = {"default": environ.Env().db("DATABASE_URL")}
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": own_file(DATA_DIR / "sheepfold.sqlite3"),
        }
    }
if "sqlite" in DATABASES["default"]["ENGINE"]:
    DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS
elif "postgresql" in DATABASES["default"]["ENGINE"]:
    # Nobody waits for a lock, a dead server or a runaway query without an end. The address may say
    # otherwise, as in ...?options=-c%20lock_timeout%3D60s.
    limits: dict[str, object] = {
        "jit": "off",  # it takes seconds to compile what then takes milliseconds
        "lock_timeout": 20_000,
        "statement_timeout": 1000 * env_int("STATEMENT_TIMEOUT", 0),
        "idle_in_transaction_session_timeout": 900_000,
    }
    POSTGRESQL_OPTIONS = {
        "connect_timeout": 5,
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "options": " ".join(f"-c {name}={value}" for name, value in limits.items()),
    }
    given = DATABASES["default"].setdefault("OPTIONS", {})
    DATABASES["default"]["OPTIONS"] = POSTGRESQL_OPTIONS | given
DATABASES["default"]["CONN_MAX_AGE"] = env_int("CONN_MAX_AGE", 60)
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    # Rate limits must hold across processes.
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        # Beyond it rows are culled that still count: so many names tried must not free one of them.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}
TASKS = {"default": {"BACKEND": env_str("TASKS_BACKEND", "django_tasks_db.DatabaseBackend")}}

AUTH_USER_MODEL = "annotation.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "annotation.accounts.ClosedAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_RATE_LIMITS = {"login_failed": "30/m/ip,5/300s/key"}
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # or anybody could have the site write to any address
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Sheepfold"
MFA_TOTP_TOLERANCE = 1  # telephones' clocks differ from the server's by some seconds
MFA_REQUIRED_FOR = env_one_of("REQUIRE_SECOND_FACTOR", ("none", "coordinators", "everyone"))
if env_str("EMAIL_URL"):
    EMAIL = environ.Env().email_url("EMAIL_URL")
    EMAIL_BACKEND, EMAIL_HOST, EMAIL_PORT = (
        EMAIL[name] for name in ("EMAIL_BACKEND", "EMAIL_HOST", "EMAIL_PORT")
    )
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = EMAIL["EMAIL_HOST_USER"], EMAIL["EMAIL_HOST_PASSWORD"]
    EMAIL_USE_TLS, EMAIL_USE_SSL = (
        bool(EMAIL.get(name)) for name in ("EMAIL_USE_TLS", "EMAIL_USE_SSL")
    )
    EMAIL_TIMEOUT = 20
HAS_EMAIL = bool(env_str("EMAIL_URL"))
DEFAULT_FROM_EMAIL = env_str("DEFAULT_FROM_EMAIL", "sheepfold@localhost")
if env_str("CLIENT_IP_HEADER"):
    ALLAUTH_TRUSTED_CLIENT_IP_HEADER = env_str("CLIENT_IP_HEADER")
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "annotation.views.failures.csrf_failure"
# Their own cookie would hold to the whole host, not to the site's path.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "annotation.api.auth.TokenAuthentication",
        "annotation.api.auth.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["annotation.api.parsers.BoundedJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "annotation.api.errors.handle",
    "URL_FORMAT_OVERRIDE": None,
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Sheepfold",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "POSTPROCESSING_HOOKS": ["annotation.api.schema.with_refusals"],
}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
TIME_ZONE = "UTC"
USE_I18N = USE_TZ = True

STATIC_URL = f"{PREFIX}/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = DATA_DIR / "media"
STORAGES = {
    **file_storages(),  # the pictures, and what jobs are to read
    "staticfiles": {
        "BACKEND": "deploy.storage.HashedModules"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
PICTURES_IN_STORE = bool(env_str("S3_BUCKET"))
SCRIPTS_JOINED = PRODUCTION  # by `collectstatic`: see deploy/storage.py
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = not PRODUCTION
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site has a use for them
ACCEL_PREFIX = env_str("ACCEL_PREFIX")  # "/protected/" behind nginx; empty: Django sends pictures
MAX_IMAGE_PIXELS = env_int("MAX_IMAGE_PIXELS", 40_000_000)
MAX_IMAGE_BYTES = env_int("MAX_IMAGE_BYTES", 25_000_000)
MAX_UPLOAD_BYTES = env_int("MAX_UPLOAD_BYTES", 200_000_000)
DATA_UPLOAD_MAX_MEMORY_SIZE = 5_000_000  # of a form without its files: anybody may send one

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "connect-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
LOG_FORMAT = log_format()
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "annotation.logs.lines.PlainLines"},
        "json": {"()": "annotation.logs.lines.JsonLines"},
    },
    "handlers": {"console": {"()": "annotation.logs.console.Console", "formatter": LOG_FORMAT}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    # A refused request is the caller's affair; its answer says why.
    "loggers": {
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}
