"""Checks of a sample before it is sent: each finds a fault or not, the project says what follows.

The checks of edits are those of the LettuceDetect v2 paper (section 4.3). Pure but for the
language, which a small offline identifier tells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from writing.distance import almost_same
from writing.edits import Edit, changed_share

OFF, WARN, REFUSE = "off", "warn", "refuse"
LEVELS = (OFF, WARN, REFUSE)
# words with which a text tells on itself
HINTS = {
    "en": ("incorrect", "incorrectly", "wrong", "wrongly", "mistake", "mistakenly", "hallucination",
           "hallucinated", "actually not", "false"),
    "fr": ("incorrect", "faux", "fausse", "erreur", "à tort", "hallucination"),
    "it": ("errato", "errata", "sbagliato", "sbagliata", "errore", "falso", "allucinazione"),
    "zh": ("错误", "不正确", "幻觉", "其实不是"),
}  # fmt: skip
NEAR = 90  # similarity from 0 to 100 from which two texts are near-duplicates
SAME_PLACE = 0.15  # positions, as a share of the text, that count as the same
READS_TEXT = ("C",)


@dataclass(frozen=True)
class Draft:
    """What is checked; offsets are code points of ``text``."""

    text: str
    language: str
    label: str
    spans: Sequence[tuple[int, int]]
    clean: str = ""
    edits: Sequence[Edit] = ()
    evidence: str = ""
    others: Iterable[str] = ()  # read once, and only where near-duplicates are looked for
    # where the errors of the writer's last samples began, as a share of their text
    places: Sequence[float] = ()
    has_picture: bool = True
    changed_share: float = 0.3
    rest: dict[str, Any] = field(default_factory=dict)


def _words(text: str) -> int:
    """Words; a CJK character counts as one."""
    return len(re.findall(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+", text))


def too_short(draft: Draft) -> bool:
    """Nothing but the error stands in the text."""
    marked = sum(end - start for start, end in draft.spans)
    return bool(draft.spans) and (marked >= 0.8 * len(draft.text.strip()) or _words(draft.text) < 4)


def near_duplicate(draft: Draft) -> bool:
    """Another sample of the language says nearly the same."""
    return almost_same(draft.text, draft.others, NEAR)


def same_place(draft: Draft) -> bool:
    """The writer's last three errors and this one begin at about the same share of the text."""
    if len(draft.places) < 3 or not draft.spans or not draft.text:
        return False
    here = draft.spans[0][0] / len(draft.text)
    return all(abs(here - there) < SAME_PLACE for there in draft.places[-3:])


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def wrong_language(draft: Draft) -> bool:
    """Another language, told with more than 90 % of certainty from at least 20 letters."""
    if sum(letter.isalpha() for letter in draft.text) < 20:
        return False
    found, certainty = _identifier().classify(draft.text)
    return bool(found != draft.language.split("-")[0].lower() and certainty > 0.9)


def text_in_picture(draft: Draft) -> bool:
    """The label is about reading text, and there is neither a picture nor a context to read."""
    return draft.label in READS_TEXT and not draft.has_picture


def large_change(draft: Draft) -> bool:
    return bool(draft.edits) and changed_share(draft.clean, draft.edits) > draft.changed_share


def in_evidence(draft: Draft) -> bool:
    """The words put in stand in the question or context already: they may well be right."""
    evidence = draft.evidence.casefold()
    return any(
        len(edit.hallucinated.strip()) > 2 and edit.hallucinated.strip().casefold() in evidence
        for edit in draft.edits
    )


def hint_words(draft: Draft) -> bool:
    """The text says of itself that it is wrong."""
    hints = HINTS.get(draft.language.split("-")[0].lower(), ())
    text = draft.text.casefold()
    # there are no edges of words between Chinese characters
    whole = r"{}" if draft.language.startswith("zh") else r"\b{}\b"
    return any(re.search(whole.format(re.escape(hint)), text) for hint in hints)


def repeated_original(draft: Draft) -> bool:
    """What was replaced stands in the correct answer more than once; its position is stored."""
    return any(
        draft.clean.count(draft.clean[edit.start : edit.end]) > 1
        for edit in draft.edits
        if edit.end > edit.start
    )


CHECKS: dict[str, Callable[[Draft], bool]] = {
    "too_short": too_short,
    "near_duplicate": near_duplicate,
    "same_place": same_place,
    "wrong_language": wrong_language,
    "text_in_picture": text_in_picture,
    "large_change": large_change,
    "in_evidence": in_evidence,
    "hint_words": hint_words,
    "repeated_original": repeated_original,
}


def found(draft: Draft, levels: dict[str, str]) -> dict[str, str]:
    """Check -> `WARN` or `REFUSE` for each that finds something."""
    asked = {name: levels.get(name, WARN) for name in CHECKS}
    return {name: level for name, level in asked.items() if level != OFF and CHECKS[name](draft)}
