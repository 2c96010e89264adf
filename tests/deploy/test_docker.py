"""Dockerfile and compose file, which no engine tried: what they name is there, nobody is root."""

from __future__ import annotations

import re

import yaml

from tests.code import ROOT
from tests.deploy.test_configure import read_variables

FOLDER = ROOT / "deploy" / "docker"
DOCKERFILE = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
OURS = ("prepare", "web", "worker")


def test_every_path_that_is_copied_or_mounted_exists():
    copied = [words.split()[:-1] for words in re.findall(r"^COPY (.+)$", DOCKERFILE, re.M)]
    assert not [name for names in copied for name in names if not (ROOT / name).exists()]
    mounts = [m.split(":")[0] for s in SERVICES.values() for m in s.get("volumes", [])]
    assert not [m for m in mounts if m.startswith(".") and not (FOLDER / m).exists()]
    assert not [m for m in mounts if not m.startswith(".") and m not in COMPOSE["volumes"]]
    build = SERVICES["web"]["build"]
    assert (FOLDER / build["context"] / build["dockerfile"]).samefile(FOLDER / "Dockerfile")


def test_every_app_of_the_site_is_in_the_image():
    copied = set(re.findall(r"^COPY (\w+) ", DOCKERFILE, re.M))
    assert {p.parent.name for p in ROOT.glob("*/apps.py")} | {
        "deploy",
        "templates",
        "static",
    } <= copied


def test_every_setting_that_is_passed_is_one():
    passed = {name for service in OURS for name in SERVICES[service]["environment"]}
    passed |= set(
        re.findall(r"(\w+)=", " ".join(re.findall(r"^ENV (SHEEPFOLD.+)$", DOCKERFILE, re.M)))
    )
    assert {"PUBLIC_URL", "BIND"} <= passed
    assert not passed - read_variables()


def test_the_site_runs_as_an_ordinary_user_and_says_how_it_is():
    assert re.findall(r"^USER (\w+)$", DOCKERFILE, re.M) == ["sheepfold"]
    assert "/healthz" in DOCKERFILE


def test_each_service_waits_for_one_that_is_there():
    for service in SERVICES.values():
        assert set(service.get("depends_on", {})) <= set(SERVICES)


def test_no_secret_stands_in_the_files():
    secrets = [
        SERVICES["web"]["environment"]["SECRET_KEY"],
        SERVICES["database"]["environment"]["POSTGRES_PASSWORD"],
    ]
    assert all(value.startswith("${") and ":?" in value for value in secrets)


def test_nginx_differs_from_the_sample_in_its_names_alone():
    plain = (ROOT / "deploy" / "nginx" / "port.conf").read_text().splitlines()
    ours = (FOLDER / "nginx.conf").read_text().splitlines()
    added = [line.strip() for line in ours if line not in plain and not line.startswith("#")]
    assert added == [
        "server web:8000 fail_timeout=0;",
        "server_name _;",
        "access_log /dev/stdout sheepfold;",
    ]
