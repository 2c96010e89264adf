"""Every setting stands in one table and in the sample file; PUBLIC_URL takes one form."""

from __future__ import annotations

import ast
import re
import shlex

import pytest
from django.core.exceptions import ImproperlyConfigured

from deploy.env import public_url
from tests import code

SAMPLE = (code.ROOT / "deploy" / "env.example").read_text(encoding="utf-8")
README = (code.ROOT / "README.md").read_text(encoding="utf-8")
NOT_SETTINGS = {
    "DJANGO_SETTINGS_MODULE",
    "CHROMIUM",
}  # which settings are read; which browser tests take


def _name_of(call: ast.AST) -> str | None:
    """The variable that a call or a subscript reads from the environment, by whatever way."""
    if isinstance(call, ast.Subscript):
        reads, words = ast.unparse(call.value) in ("os.environ", "environ"), [call.slice]
    elif isinstance(call, ast.Call):
        name = ast.unparse(call.func)
        reads = name.rpartition(".")[2].startswith("env_") or name.endswith(
            ("environ.get", "environ.setdefault", "getenv", "Env().db", "Env().email_url")
        )
        words = call.args
    else:
        return None
    first = words[0] if reads and words else None
    text = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None
    return text if text and re.fullmatch(r"[A-Z][A-Z0-9_]+", text) else None


def read_variables() -> set[str]:
    """Of every module of the site, its gunicorn configuration too."""
    nodes = (node for path in code.sources(*code.APPS) for node in ast.walk(code.tree(path)))
    return {name for name in map(_name_of, nodes) if name} - NOT_SETTINGS


def sample_variables() -> dict[str, str]:
    found = re.findall(r"^#?([A-Z][A-Z0-9_]*)=(.*)$", SAMPLE, re.MULTILINE)
    return {name: shlex.split(value)[0] for name, value in found}


def test_the_reader_of_the_sources_finds_what_is_read_in_every_way():
    found = read_variables()
    assert {"PUBLIC_URL", "DEBUG", "WEB_WORKERS", "LOG_FORMAT", "DATABASE_URL", "BIND"} <= found


def test_every_setting_stands_in_the_table_and_in_the_sample():
    table = README.split("## Environment")[1].split("\n## ")[0]
    assert not [name for name in read_variables() if f"`{name}`" not in table]
    assert not read_variables() - set(sample_variables())


def test_the_sample_names_no_setting_that_nobody_reads():
    assert not set(sample_variables()) - read_variables()


def test_the_sample_reads_the_same_in_a_shell_and_in_systemd():
    """Single quotes and nothing inside them that either would take apart."""
    lines = [line for line in SAMPLE.splitlines() if re.match(r"#?[A-Z]", line)]
    assert lines
    assert not [
        s
        for s in lines
        if re.match(r"#?[A-Z][A-Z0-9_]*=", s) and not re.fullmatch(r"#?[A-Z0-9_]+='[^'\\]*'", s)
    ]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("host.example", "needs http"),
        ("ftp://host.example/", "needs http"),
        ("https:///annotate/", "needs http"),
        ("https://user:hay77@host.example/", "user name or password"),
        ("https://host.example/?a=1", "query"),
        ("https://host.example/#top", "query"),
        ("https://host.example/ ", "blank"),
        (" https://host.example/", "blank"),
        ("https://host.example:99999/", "port"),
        ("https://host.example:http/", "port"),
        ("https://*.example/", "more than one"),
        ("https://a.example,https://b.example", "more than one"),
        ("https://host.example//annotate/", "path"),
        ("https://host.example/an%20notate/", "path"),
    ],
)
def test_a_public_url_of_another_form_is_refused_with_the_reason_and_an_example(value, reason):
    with pytest.raises(ImproperlyConfigured) as refused:
        public_url(value)
    said = str(refused.value)
    assert reason in said and "https://host.example/annotate/" in said and "hay77" not in said


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("https://host.example", ("https://host.example", "host.example", "")),
        ("https://Host.Example:443/", ("https://host.example", "host.example", "")),
        ("http://127.0.0.1:8080/", ("http://127.0.0.1:8080", "127.0.0.1", "")),
        ("http://[::1]:80/a/b/", ("http://[::1]", "[::1]", "/a/b")),
        ("https://höhe.example/", ("https://xn--hhe-sna.example", "xn--hhe-sna.example", "")),
    ],
)
def test_a_public_url_gives_the_origin_as_browsers_send_it(value, meant):
    assert public_url(value) == meant
