"""Markup in every text of the database, and a reader that finds where a page lets it out."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from django.apps import apps
from django.db import models

from annotation.models import Project
from annotation.models.fields import JSONTextField

# An element of no standard: where a parser meets it as a tag, a page has let markup through.
TAG = "xevil"
RUN = "window.sheepfoldWasHere=1"
MARKUP = (
    f"<script>{RUN}</script></script><{TAG}>\"><img src=x onerror={RUN}>'><{TAG} onclick={RUN}>"
    "{{7*7}}sheep${7*7}sheep\u202e]]><!--<![CDATA["
)
MARKDOWN = (
    f"{MARKUP}\n\n[x](javascript:{RUN}) ![p](x) <javascript:{RUN}> [y](data:text/html,<{TAG}>)\n\n"
    f'# "><{TAG}>\n\n```\n</code></pre><{TAG}>\n```\n\n| a |\n|---|\n| <{TAG}> |\n'
)
# What the site itself looks things up by, or computes.
KEPT = {
    *("slug", "language", "state", "kind", "role", "origin", "facet", "context_format", "strategy"),
    *("password", "digest", "file", "sha256", "secret", "pseudonym_key", "colour", "task_id"),
    *("response", "languages", "parameters", "answer", "draft", "report", "expectation"),
}
ADDRESSES = ("href", "src", "action", "formaction")


def _texts(model: type[models.Model]) -> list[Any]:
    return [
        field
        for field in model._meta.concrete_fields
        if isinstance(field, models.CharField | models.TextField)
        and not field.primary_key
        and not field.choices
        and field.name not in KEPT
        and (field.max_length or 40) >= 40  # no markup is shorter
        and (field.name in ("metadata", "detail") or not isinstance(field, JSONTextField))
    ]


def poison() -> list[str]:
    """Put `MARKUP` into every text of the apps' tables, before its row's number where it must be
    one of a kind; which texts those are.
    """
    poisoned = []
    for model in (
        m for app in ("annotation", "writing") for m in apps.get_app_config(app).get_models()
    ):
        for field in _texts(model):
            poisoned.append(f"{model.__name__}.{field.name}")
            rows = model._default_manager.all()
            changes = type(rows).update is models.QuerySet.update
            for row in list(rows):
                text = MARKDOWN if field.name in ("guidelines", "context") else MARKUP
                longest = (field.max_length or 10_000) - 9
                value: Any = f"{text[:longest]}{row.pk}"
                if isinstance(field, JSONTextField):
                    value = {value: [value, {value: value}]}
                elif getattr(row, field.name) is None and field.name == "image_name":
                    continue
                if changes:
                    rows.filter(pk=row.pk).update(**{field.name: value})
                else:  # a log, which takes new rows alone
                    row.pk, row._state.adding = None, True
                    setattr(row, field.name, value)
                    row.save()
    _poison_json()
    return poisoned


def _poison_json() -> None:
    """JSON whose shape the site relies on: only its texts are poisoned."""
    for name, field, keys in (
        ("Job", "parameters", ("name", "images_name")),
        ("Job", "report", ("refusals", "notes")),
        ("Revision", "answer", ("comment",)),
        ("Annotation", "draft", ("comment",)),
    ):
        for row in apps.get_model("annotation", name).objects.all():
            value = getattr(row, field)
            for key in keys:
                if value and key in value:
                    refusals = [[MARKUP, 2, MARKUP, MARKUP]]
                    value[key] = (
                        refusals if key == "refusals" else [MARKUP] if key == "notes" else MARKUP
                    )
            models.QuerySet(type(row)).filter(pk=row.pk).update(**{field: value})
    responses = apps.get_model("annotation", "Item").objects
    for row in responses.all():  # its beginning carries the spans
        row.response += MARKUP
        row.save()
    Project.objects.update(guidelines=MARKDOWN, writer_guidelines=MARKDOWN)


class Reader(HTMLParser):
    """What a page lets out: elements and handlers of the markup, addresses that run, sums done."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.fields: list[str] = []
        self.feed(text)
        if "49sheep" in text:
            self.faults.append("a template in a text was run")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        shown = (self.get_starttag_text() or tag)[:80]
        if tag == TAG or any(name.startswith("on") for name in given) or given.get("src") == "x":
            self.faults.append(shown)
        for name in ADDRESSES:
            if (
                given.get(name, "")
                .strip()
                .lower()
                .startswith(("javascript:", "data:", "vbscript:"))
            ):
                self.faults.append(shown)
        if tag == "script" and given.get("type") != "application/json" and "src" not in given:
            self.faults.append(shown)
        if tag in ("input", "textarea", "select") and given.get("name"):
            self.fields.append(given["name"])
