"""The project's own files, for tests about the code itself."""

from __future__ import annotations

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
APPS = ("annotation", "writing", "agreement", "backup", "deploy")


@cache
def tracked() -> list[Path]:
    """The files of the repository, new ones too; of the folder where there is no repository."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        names = sorted(set(listed.stdout.splitlines()))
        return [ROOT / name for name in names if (ROOT / name).is_file()]
    skipped = {".venv", "var", ".git", "__pycache__"}
    return [p for p in sorted(ROOT.rglob("*")) if p.is_file() and not skipped & set(p.parts)]


def files(suffix: str, *folders: str) -> list[Path]:
    """Tracked files with the suffix under one of the folders (all where none is given)."""
    return [
        path
        for path in tracked()
        if path.suffix == suffix and (not folders or path.relative_to(ROOT).parts[0] in folders)
    ]


def sources(*folders: str) -> list[Path]:
    """Python modules that people wrote, so without migrations."""
    return [path for path in files(".py", *folders) if "migrations" not in path.parts]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module(path: Path) -> str:
    """``annotation/models/items.py`` -> ``annotation.models.items``."""
    dotted = name(path).removesuffix(".py").replace("/", ".")
    return dotted.removesuffix(".__init__")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=name(path))


def imports(path: Path) -> list[tuple[int, str]]:
    """``(line, module or module.name)`` for every import, also those inside functions."""
    found = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)}:{node.lineno}: relative import"
            found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
    return found


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(tree(path)) if isinstance(node, kinds)]
