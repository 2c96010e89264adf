"""Log lines: as JSON or plain, with the id of their request, and without what must stay secret.

Only the standard library is used here, since gunicorn loads it before there is a site.
"""
