"""Make tests/data/first_release.* anew: the demo as the first release's own code stored it.

python -m tests.deploy.first_release OUT

The code comes from the history, at the last commit whose only migration of `annotation` was the
first; only the package `backup` is today's. The archive lies in the repository, so that the test of
the upgrade needs neither history nor old packages.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.servers.programs import ROOT

COMMIT = "60e82b3"
SETTINGS = 'from deploy.settings import *\nINSTALLED_APPS = [*INSTALLED_APPS, "backup"]\n'
FILL = """
import io
from pathlib import Path
from django.conf import settings
from django.core.management import call_command
from PIL import Image
call_command("migrate", verbosity=0)
call_command("createcachetable", verbosity=0)
call_command("make_demo", stdout=io.StringIO())
for path in Path(settings.MEDIA_ROOT).rglob("*.png"):
    Image.new("RGB", (8, 6), "#" + path.stem[:6]).save(path)  # small ones: the archive is kept
for name in ("sheep", "jsonl"):
    call_command("export", "demo", format=name, out={out!r}.removesuffix("tar") + name)
call_command("backup", out={out!r})
"""


def main(out: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["git", "archive", COMMIT], cwd=ROOT, capture_output=True, check=True
        )
        subprocess.run(["tar", "x"], cwd=folder, input=packed.stdout, check=True)
        shutil.copytree(ROOT / "backup", Path(folder) / "backup")
        (Path(folder) / "first_settings.py").write_text(SETTINGS)
        words = [sys.executable, "manage.py", "shell", "-c", FILL.format(out=str(out.resolve()))]
        env = {"DJANGO_SETTINGS_MODULE": "first_settings", "SHEEPFOLD_DATA": f"{folder}/data"}
        path = {"PATH": os.environ["PATH"], "PYTHONPATH": folder}
        subprocess.run(words, cwd=folder, env=env | path, check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
