"""Ids in addresses: whole numbers that a database can hold; any other address is not found."""

from __future__ import annotations

BIGGEST = 2**63 - 1


class IdConverter:
    regex = "[0-9]{1,19}"

    def to_python(self, value: str) -> int:
        number = int(value)
        if number > BIGGEST:
            raise ValueError(value)
        return number

    def to_url(self, value: int) -> str:
        return str(value)
