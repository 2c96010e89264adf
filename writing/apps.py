"""The app of the authors: briefs and samples that become items."""

from __future__ import annotations

from django.apps import AppConfig


class WritingConfig(AppConfig):
    name = "writing"
    verbose_name = "Writing"
