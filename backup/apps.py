"""Backup and restore: they know the models of every app from Django's registry alone."""

from __future__ import annotations

from django.apps import AppConfig


class BackupConfig(AppConfig):
    name = "backup"
