"""One script for each page in place of its modules, so that a browser fetches and starts one file.

Every module becomes a function of its own that is called once and gives what it exports. That is
enough for modules which import names at their top and export what never changes; any other form is
refused, and the modules themselves are what runs wherever files are not collected.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

IMPORT = re.compile(r'^import (?:\{([^}]*)\}|\* as (\w+)) from "(\.{1,2}/[^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def joined(entry: str, read: Callable[[str], str]) -> str:
    """The text of one script that does what the module ``entry`` and all it imports do.

    ``read`` takes a module's path to its text. Raises `ValueError` for modules that import each
    other in a circle, and for an import or export of another form.

    >>> files = {"a.js": 'import { b as c } from "./b.js";\\nc();\\n',
    ...          "b.js": "export const b = () => 1;\\n"}
    >>> print(joined("a.js", files.__getitem__))
    const module0 = (() => {
    const b = () => 1;
    return { b };
    })();
    const { b: c } = module0;
    c();
    <BLANKLINE>
    """
    names: dict[str, str] = {}
    parts: list[str] = []

    def bound(importer: str, found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(importer), found[3]))
        return f"const {found[2] or _pattern(found[1])} = {names[path]};"

    def body(path: str, above: tuple[str, ...]) -> tuple[str, list[str]]:
        if path in above:
            raise ValueError(f"modules import each other: {' → '.join((*above, path))}")
        text = read(path)
        for found in IMPORT.finditer(text):
            inner = posixpath.normpath(posixpath.join(posixpath.dirname(path), found[3]))
            if inner not in names:
                add(inner, (*above, path))
        text = IMPORT.sub(lambda found: bound(path, found), text)
        exported = [found[2] for found in EXPORT.finditer(text)]
        text = EXPORT.sub(r"\1", text)
        if left := LEFT.search(text):
            raise ValueError(f"{path}: cannot be joined: {left[0]}")
        return text, exported

    def add(path: str, above: tuple[str, ...]) -> None:
        text, exported = body(path, above)
        name = f"module{len(names)}"
        names[path] = name
        given = ", ".join(exported)
        parts.append(f"const {name} = (() => {{\n{text.rstrip()}\nreturn {{ {given} }};\n}})();\n")

    text, _exported = body(entry, ())
    return "".join((*parts, text))


def _pattern(listed: str) -> str:
    """What stands in an import's braces, as a pattern of destructuring."""
    parts = [" ".join(part.split()).replace(" as ", ": ") for part in listed.split(",")]
    return f"{{ {', '.join(part for part in parts if part)} }}"
