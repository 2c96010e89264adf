"""A page's modules as one script: what cannot be joined is refused, nothing is left to fetch."""

from __future__ import annotations

import re

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage

from deploy.joined import joined
from deploy.storage import PAGES, HashedModules
from tests.test_environment import ROOT

STATIC = ROOT / "static"
TEMPLATES = ROOT / "templates"


def read(name: str) -> str:
    return (STATIC / name).read_text()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('import "./b.js";\n', "cannot be joined"),
        ('import b from "./b.js";\n', "cannot be joined"),
        ('import { b } from "https://host.example/b.js";\n', "cannot be joined"),
        ("export let count = 0;\n", "cannot be joined"),
        ("export default 1;\n", "cannot be joined"),
        ('export { b } from "./b.js";\n', "cannot be joined"),
        ("export const { a, c } = window;\n", "cannot be joined"),
        ('import { a } from "./a.js";\n', "import each other: a.js → a.js"),
        ('import { c } from "./c.js";\n', "import each other: a.js → c.js → a.js"),
    ],
)
def test_a_form_that_joining_would_change_is_refused(text, reason):
    files = {"a.js": text, "b.js": "export const b = 1;\n", "c.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(ValueError, match=re.escape(reason)):
        joined("a.js", files.__getitem__)


def test_each_module_is_in_it_once_before_who_imports_it():
    files = {
        "p/a.js": 'import * as b from "./b.js";\nimport { c } from "../q/c.js";\n',
        "p/b.js": 'import { c } from "../q/c.js";\n'
        "export class B {}\nexport async function go() {}\n",
        "q/c.js": "export const c = 1;\n",
    }
    text = joined("p/a.js", files.__getitem__)
    assert re.findall(r"^return \{ (.*) \};$", text, re.MULTILINE) == ["c", "B, go"]
    assert text.count("const c = 1;") == 1
    assert text.index("const c = 1;") < text.index("class B") < text.index("const b = module1;")


@pytest.mark.parametrize("name", PAGES)
def test_a_pages_script_asks_for_no_other(name):
    text = joined(name, read)
    assert not re.search(r"^\s*(import|export)\b|\bimport\(|import\.meta", text, re.MULTILINE)


def test_every_script_of_a_page_that_imports_others_is_joined():
    named = {
        name
        for page in TEMPLATES.rglob("*.html")
        for name in re.findall(r"<script[^>]* src=\"{% static '([^']+)' %}\"", page.read_text())
    }
    assert {name for name in named if re.search(r"^import\b", read(name), re.MULTILINE)} == set(
        PAGES
    )


def test_a_module_that_changes_reaches_a_script_that_stayed_the_same(tmp_path, monkeypatch):
    """`collectstatic` copies only what is newer, and the script it joined before is newer."""
    monkeypatch.setattr("deploy.storage.PAGES", ("main.js",))
    source, target = (FileSystemStorage(tmp_path / name) for name in ("source", "target"))
    storage = HashedModules(location=target.location, base_url="/static/")
    source.save("main.js", ContentFile(b'import { one } from "./part.js";\none();\n'))
    served = []
    for says in (b"first", b"second"):
        source.delete("part.js")
        source.save("part.js", ContentFile(b"export const one = () => '" + says + b"';\n"))
        paths = {name: (source, name) for name in ("main.js", "part.js")}
        for name in ("part.js",) if served else paths:
            target.delete(name)
            target.save(name, source.open(name))
        assert not [
            done for _, _, done in storage.post_process(paths) if isinstance(done, Exception)
        ]
        served.append(target.open(storage.stored_name("main.js")).read())
    assert b"first" in served[0] and b"second" in served[1] and b"import" not in served[1]
