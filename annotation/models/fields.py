"""Fields that both databases keep alike."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import models


class JSONTextField(models.TextField):
    """A JSON value as text: jsonb would change the order of keys and the spelling of numbers."""

    if TYPE_CHECKING:  # to the stubs a TextField holds a str; this one any value of JSON
        _pyi_private_set_type: Any
        _pyi_private_get_type: Any
        _pyi_lookup_exact_type: Any

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        return None if value is None else json.loads(value)

    def to_python(self, value: Any) -> Any:
        return json.loads(value) if isinstance(value, str) else value

    def get_prep_value(self, value: Any) -> str | None:
        if value is None:
            return None
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    def value_to_string(self, obj: models.Model) -> str:
        return self.get_prep_value(self.value_from_object(obj)) or ""
