"""Workers as the site sees them, also from another host."""

from __future__ import annotations

from django.db import models


class Worker(models.Model):
    """One process that carries out jobs; its row goes when it stops of its own accord."""

    name = models.CharField(max_length=64, unique=True)
    started_at = models.DateTimeField(auto_now_add=True)
    heartbeat = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
