"""Files for import tests: rows, pictures, and the commands that take them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command
from PIL import Image

from annotation.models import Annotation, Assignment, Item, Participant, Revision, Span
from annotation.models import Image as ImageRow


def row(key: str = "a", **fields: Any) -> dict[str, Any]:
    return {"key": key, "language": "en", "question": "What?", "response": "Two sheep."} | fields


def sheep_row(key: str = "a", **fields: Any) -> dict[str, Any]:
    return {"id": key, "language": "en", "prompt": "What?", "response": "Two sheep."} | fields


def jsonl(path: Path, *rows: dict[str, Any]) -> Path:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8", newline="")
    return path


def picture(size: tuple[int, int] = (8, 4), kind: str = "PNG", **options: Any) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, "green").save(buffer, kind, **options)
    return buffer.getvalue()


def run(name: str, *words: object) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(name, *map(str, words), stdout=out, stderr=err)
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    except CommandError as error:
        code = 1
        err.write(str(error))
    return code, out.getvalue(), err.getvalue()


def load(path: Path, *words: object, slug: str = "flock") -> tuple[int, str, str]:
    return run("import_items", slug, path, *words)


def exported(slug: str = "flock", name: str = "jsonl", *words: object) -> str:
    code, out, err = run("export", slug, "--format", name, *words)
    assert code == 0, err
    return out


def everything() -> list[list[tuple[Any, ...]]]:
    """All rows that an import could touch, to show that none changed."""
    models = (Item, Assignment, Annotation, Span, Revision, Participant, ImageRow)
    return [list(model.objects.order_by("pk").values_list()) for model in models]
