"""The operators' documents: what they link and name is there; the guide's shell is sound."""

from __future__ import annotations

import re
import subprocess

import pytest
from django.core.management import get_commands

from scripts.try_install import commands
from tests.code import ROOT

FOLDER = ROOT / "docs" / "operators"
DOCUMENTS = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
GUIDE = commands(DOCUMENTS["install.md"])


def test_the_documents_are_those_that_an_operator_needs():
    assert set(DOCUMENTS) >= {"install.md", "configure.md", "watch.md", "upgrade.md", "when.md"}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_leads_to_a_file(name):
    links = re.findall(r"\]\((?!https?:)([^)#]+)", DOCUMENTS[name])
    assert links
    assert not [link for link in links if not (FOLDER / link).exists()]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_nothing_is_called_easy(name):
    assert not re.findall(
        r"(?i)\b(simply|just|easy|easily|obvious|obviously|of course)\b", DOCUMENTS[name]
    )


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_command_and_file_that_is_named_is_there(name):
    text = DOCUMENTS[name]
    asked = re.findall(r"(?:^|`| )sheepfold ([a-z_]{4,})\b(?!\.)", text, re.MULTILINE)
    assert not set(asked) - set(get_commands())
    files = re.findall(r"(?:/opt/sheepfold/|`)(deploy/[\w./-]+)", text)
    assert not [f for f in files if not (ROOT / f).exists()]


def test_the_guides_shell_can_be_read():
    assert GUIDE.count("\n") > 30
    done = subprocess.run(["bash", "-n"], input=GUIDE, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_guide_says_when_it_was_last_followed():
    assert re.search(r"it last did so on 20\d\d-\d\d-\d\d", DOCUMENTS["install.md"])


def test_an_upgrade_stops_both_units_before_it_exchanges_the_code_and_installs_all_of_it():
    steps = "".join(re.findall(r"```text\n(.*?)```", DOCUMENTS["upgrade.md"], re.DOTALL))
    order = ["stop sheepfold-worker", "stop sheepfold-web", "mv /opt/sheepfold ", "pip install"]
    order += [
        "/usr/local/bin/sheepfold",
        "daemon-reload",
        "sheepfold migrate",
        "start sheepfold-web",
    ]
    places = [steps.index(words) for words in order]
    assert places == sorted(places)
    installed = set(re.findall(r"/opt/sheepfold/deploy/sheepfold[\w.-]*", GUIDE))
    assert len(installed) == 3 and installed <= set(steps.replace("\n", " ").split())
