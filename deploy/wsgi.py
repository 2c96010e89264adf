"""The WSGI application: ``deploy.wsgi:application``."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
application = get_wsgi_application()
# What was loaded by now stays: a long export need not look through it again and again.
gc.collect()
gc.freeze()
