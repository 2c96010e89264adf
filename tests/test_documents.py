"""README and CONTRIBUTING say what is there: every variable, command, format, route and target."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.urls import URLPattern, get_resolver

from tests import code

README = (code.ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (code.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
VARIABLE = re.compile(
    r"""(?:env_(?:str|int|bool|one_of)\(|environ(?:\.get\(|\[)|\.db\()\s*["'](\w+)["']"""
)


def variables() -> set[str]:
    """Names of environment variables that a module of the site reads."""
    texts = [path.read_text(encoding="utf-8") for path in code.sources(*code.APPS)]
    return {name for text in texts for name in VARIABLE.findall(text)}


def test_every_environment_variable_is_documented():
    assert {"SHEEPFOLD_DATA", "PUBLIC_URL"} <= variables()
    assert not {name for name in variables() if f"`{name}`" not in README}


def test_no_variable_is_documented_that_nobody_reads():
    section = README.split("## Environment")[1].split("\n## ")[0]
    assert not set(re.findall(r"^\| `(\w+)`", section, re.MULTILINE)) - variables()


def test_every_command_is_documented():
    folder = "annotation/management/commands"
    commands = {
        path.stem for path in code.sources("annotation") if code.name(path).startswith(folder)
    }
    assert not {name for name in commands - {"__init__"} if f"`{name}" not in README}


def test_every_format_is_documented():
    from annotation.formats import FORMATS

    assert not {name for name in FORMATS if f"### `{name}`" not in README}


def test_every_make_target_is_documented():
    makefile = (code.ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):[^#\n]*##", makefile, re.MULTILINE))
    assert {"demo", "test"} <= targets
    assert not {t for t in targets if f"make {t}" not in README + CONTRIBUTING}


def routes() -> list[str]:
    """The API's addresses as the README writes them."""
    resolver = next(r for r in get_resolver().url_patterns if str(r.pattern) == "api/v1/")
    found = [str(p.pattern) for p in resolver.url_patterns if isinstance(p, URLPattern)]
    named = {"<slug:slug>": "SLUG", "<id:pk>": "ID"}
    return [re.sub(r"<[^>]+>", lambda part: named[part.group()], path) for path in found]


def test_every_route_of_the_api_is_documented():
    assert not [path for path in routes() if f"/api/v1/{path}" not in README]


def test_every_picture_and_file_that_the_documents_name_is_there():
    for text in (README, CONTRIBUTING):
        links = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
        assert not [link for link in links if not (code.ROOT / link).exists()]


def test_every_file_that_contributing_names_is_there():
    paths = re.findall(
        r"`((?:annotation|tests|static|templates|deploy|scripts)/[\w/.-]+)`", CONTRIBUTING
    )
    assert paths
    assert not [path for path in paths if not (code.ROOT / path).exists()]


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
