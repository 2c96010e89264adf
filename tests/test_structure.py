"""The house stays in order: who imports whom, how large a file grows, what the code may not do."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests import code

# Where it stands in its app: a module imports from its own rank and from lower ones.
RANKS = {
    "models": 1,
    "selectors": 2,
    "access": 2,
    "actions": 3,
    "tasks": 3,
    "views": 4,
    "api": 4,
    "forms": 4,
    "management": 4,
    "middleware": 4,
    "requests": 4,
    "accounts": 4,
    "templatetags": 4,
    "urls": 5,
    "urls_desk": 5,
    "urls_review": 5,
    "urls_translate": 5,
    "apps": 5,
}
PURE = re.compile(
    r"annotation\.(records|errors|spans|aggregate|offsets|order|pseudonyms|formats|visible|browsers)(\.|$)"
    r"|agreement\.(stats|scoring|units|expectation|describe|report|tables|question|compare|figures)(\.|$)"
)
# app -> apps of ours that it may import
NEIGHBOURS = {
    "annotation": {"annotation"},
    "writing": {"writing", "annotation"},
    "agreement": {"agreement", "annotation"},
    "backup": {"backup"},
    "deploy": {"deploy"},
}
FRAMEWORKS = ("django", "rest_framework", "allauth", "drf_spectacular")
ENTRANCES = ("views", "api", "management", "middleware", "forms")
WRITES = {
    "save", "create", "bulk_create", "bulk_update", "get_or_create", "update_or_create",
    "delete", "create_user", "set_password",
}  # fmt: skip

MODULE, FUNCTION, TEMPLATE, SCRIPT, TEST = 300, 50, 150, 200, 300
# path, or path::function -> why it may be larger
LARGER: dict[str, str] = {}


def rank(module: str) -> int:
    """By the first word of its name: ``urls_desk`` stands where ``urls`` does."""
    parts = module.split(".")
    return RANKS.get(parts[1].partition("_")[0], 0) if len(parts) > 1 else 0


def app(module: str) -> str:
    return module.split(".")[0]


def ours(module: str) -> bool:
    return app(module) in code.APPS


def test_an_app_imports_only_the_apps_below_it():
    wrong = [
        f"{code.name(path)}:{line}: {imported}"
        for path in code.sources(*code.APPS)
        for line, imported in code.imports(path)
        if ours(imported)
        and imported.split(".")[0] not in NEIGHBOURS[path.relative_to(code.ROOT).parts[0]]
    ]
    assert not wrong


def test_views_import_actions_and_actions_import_reads_and_never_the_other_way():
    wrong = [
        f"{code.name(path)}:{line}: {imported}"
        for path in code.sources("annotation", "writing", "agreement")
        for line, imported in code.imports(path)
        if ours(imported) and rank(imported) > rank(code.module(path))
    ]
    assert not wrong


def test_the_pure_core_imports_no_django_and_nothing_that_does():
    wrong = [
        f"{code.name(path)}:{line}: {imported}"
        for path in code.sources("annotation", "agreement")
        if PURE.match(code.module(path))
        for line, imported in code.imports(path)
        if imported.startswith(FRAMEWORKS) or (ours(imported) and not PURE.match(imported))
    ]
    assert not wrong


def test_an_action_never_sees_a_request():
    wrong = []
    for path in code.sources("annotation", "writing"):
        if ".actions" not in code.module(path):
            continue
        wrong += [
            f"{code.name(path)}:{line}: {imported}"
            for line, imported in code.imports(path)
            if imported.startswith(("django.http", "rest_framework"))
        ]
        wrong += [
            f"{code.name(path)}:{node.lineno}: {node.name}"
            for node in code.functions(path)
            if "request" in {argument.arg for argument in node.args.args + node.args.kwonlyargs}
        ]
    assert not wrong


def _writes(path: Path) -> list[str]:
    """Calls that write to the database, but for those of a function of `annotation.actions`."""
    actions = {
        imported.split(".")[-1]
        for _, imported in code.imports(path)
        if ".actions." in imported or imported.endswith(".actions")
    }
    calls = [
        node.func
        for node in ast.walk(code.tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]
    return [
        f"{code.name(path)}:{call.lineno}: {ast.unparse(call)}"
        for call in calls
        if call.attr in WRITES
        and not (isinstance(call.value, ast.Name) and call.value.id in actions)
    ]


def test_no_view_and_no_command_writes_by_itself():
    entrances = [
        path
        for path in code.sources("annotation", "writing", "agreement")
        if code.module(path).split(".")[1:2] and code.module(path).split(".")[1] in ENTRANCES
    ]
    assert not [write for path in entrances for write in _writes(path)]


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_file_outgrows_a_reader():
    python = code.sources(*code.APPS, "scripts")
    scripts = [path for path in code.files(".js", "static") if "vendor" not in path.parts]
    kinds = (
        (python, MODULE),
        (code.sources("tests"), TEST),
        (code.files(".html", "templates"), TEMPLATE),
        (scripts, SCRIPT),
    )
    large = {
        code.name(path): _lines(path)
        for paths, limit in kinds
        for path in paths
        if _lines(path) > limit
    }
    assert not {path: lines for path, lines in large.items() if path not in LARGER}


def test_no_function_outgrows_a_screen():
    large = [
        f"{code.name(path)}::{node.name} ({node.end_lineno - node.lineno + 1})"
        for path in code.sources(*code.APPS, "scripts", "tests")
        for node in code.functions(path)
        if node.end_lineno - node.lineno + 1 > FUNCTION
    ]
    assert not [entry for entry in large if entry.split(" ")[0] not in LARGER]


def test_an_exception_to_the_sizes_names_what_is_there():
    assert not [entry for entry in LARGER if not (code.ROOT / entry.split("::")[0]).exists()]


def test_every_function_has_types():
    untyped = []
    for path in code.sources(*code.APPS, "scripts"):
        for node in code.functions(path):
            arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            arguments += [extra for extra in (node.args.vararg, node.args.kwarg) if extra]
            bare = {a.arg for a in arguments if a.annotation is None} - {"self", "cls"}
            if bare or node.returns is None:
                untyped.append(f"{code.name(path)}:{node.lineno}: {node.name}")
    assert not untyped


def test_nothing_prints():
    printing = [
        f"{code.name(path)}:{node.lineno}"
        for path in code.sources(*code.APPS, "scripts")
        for node in ast.walk(code.tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]
    assert not printing


def test_no_file_names_a_folder_of_somebodys_machine():
    folders = re.compile(r"(?<![\w.~$}-])/(?:work|root|home|Users)/\w")
    suffixes = {".py", ".md", ".html", ".js", ".css", ".toml", ".txt", ".sh", ".conf", ".json", ""}
    found = []
    for path in code.tracked():
        if path.suffix not in suffixes or path == Path(__file__):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [f"{code.name(path)}: {match.group()}" for match in folders.finditer(text)]
    assert not found
