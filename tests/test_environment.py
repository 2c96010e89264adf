"""What the site reads from its environment, and what it refuses to start with."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ASK = "from django.conf import settings as s; print(s.{})"


def started(data: Path, question: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A fresh process that reads the settings and prints one of them."""
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "LANG")}
    kept |= {"DJANGO_SETTINGS_MODULE": "deploy.settings", "SHEEPFOLD_DATA": str(data)}
    return subprocess.run(
        [sys.executable, "-c", ASK.format(question)],
        cwd=ROOT,
        env=kept | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"PUBLIC_URL": "https://a.example/", "SECRET_KEY": "k", "DEBUG": "1"}, "DEBUG=1"),
        ({"PUBLIC_URL": "https://a.example/"}, "SECRET_KEY"),
        ({"PUBLIC_URL": "a.example", "SECRET_KEY": "k"}, "PUBLIC_URL"),
        ({"DEBUG": "maybe"}, "DEBUG"),
        ({"REQUIRE_SECOND_FACTOR": "some"}, "REQUIRE_SECOND_FACTOR"),
        ({"CONN_MAX_AGE": "long"}, "CONN_MAX_AGE"),
    ],
)
def test_a_wrong_variable_stops_the_site_and_is_named(tmp_path, environment, named):
    answer = started(tmp_path, "DEBUG", **environment)
    assert answer.returncode == 1
    assert named in answer.stderr.splitlines()[-1]


@pytest.mark.parametrize(("text", "value"), [("0", "False"), ("False", "False"), ("1", "True")])
def test_debug_means_what_it_says(tmp_path, text, value):
    """AppraiseDev/Appraise: the text "False" is not true."""
    assert started(tmp_path, "DEBUG", DEBUG=text).stdout.strip() == value


def test_a_missing_key_is_made_once_and_is_its_owners_alone(tmp_path):
    first = started(tmp_path, "SECRET_KEY").stdout
    assert len(first) > 40 and started(tmp_path, "SECRET_KEY").stdout == first
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_the_database_of_the_default_is_its_owners_alone_with_what_stands_beside_it(tmp_path):
    """Sessions and hashes of passwords are in it, and a machine may have other users."""
    file = Path(started(tmp_path, "DATABASES['default']['NAME']").stdout.strip())
    database = sqlite3.connect(file)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("CREATE TABLE t (i)")
    made = sorted(tmp_path.glob("sheepfold.sqlite3*"))
    assert len(made) == 3 and not any(one.stat().st_mode & 0o077 for one in made)
    database.close()
    file.chmod(0o640)
    started(tmp_path, "DEBUG")
    assert file.stat().st_mode & 0o777 == 0o640


def test_the_public_address_is_one_setting(tmp_path):
    """HumanSignal/label-studio#6606: host, port and sub-path come from one place."""
    site = {"PUBLIC_URL": "https://a.example:8443/annotate/", "SECRET_KEY": "k"}
    assert started(tmp_path, "CSRF_TRUSTED_ORIGINS", **site).stdout.strip() == (
        "['https://a.example:8443']"
    )
    assert started(tmp_path, "ALLOWED_HOSTS", **site).stdout.strip() == "['a.example']"
    assert started(tmp_path, "STATIC_URL", **site).stdout.strip() == "/annotate/static/"
    assert started(tmp_path, "SESSION_COOKIE_SECURE", **site).stdout.strip() == "True"


def test_without_a_variable_the_site_is_local_and_on_sqlite(tmp_path):
    assert "sqlite3" in started(tmp_path, "DATABASES").stdout
    assert "127.0.0.1" in started(tmp_path, "ALLOWED_HOSTS").stdout
