"""The sample of nginx that the site is deployed with, on loopback."""

from __future__ import annotations

import re
from pathlib import Path

from tests.servers.programs import ROOT


def behind_nginx(web: int, port: int, data: Path, folder: Path) -> str:
    """`deploy/nginx/port.conf` for gunicorn on the port ``web``, itself listening on ``port``."""
    text = (ROOT / "deploy/nginx/port.conf").read_text(encoding="utf-8")
    for old, new in {
        "unix:/run/sheepfold/web.sock": f"127.0.0.1:{web}",
        "/var/lib/sheepfold/": f"{data}/",
        "/etc/nginx/snippets/sheepfold-proxy.conf": str(ROOT / "deploy/nginx/proxy.conf"),
        "/var/log/nginx/sheepfold.log": f"{folder}/nginx-requests.log",
    }.items():
        text = text.replace(old, new)
    text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"listen \d+", f"listen 127.0.0.1:{port}", text)
