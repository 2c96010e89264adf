"""What a writer says of a sample, and what of it is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotation.errors import Problem
from annotation.formats import Fault
from annotation.formats.values import clean
from annotation.records import SpanRecord
from annotation.spans import check_spans
from writing import checks
from writing.actions import wrong_edits
from writing.edits import BadEdit, Edit, apply
from writing.models import Policy, Sample
from writing.selectors.balance import before, policy_of, target, writable
from writing.visible import is_blank

TEXT_MAX = 20_000


@dataclass(frozen=True)
class Content:
    """What a writer says: in edit mode ``correct`` and ``edits``, and text and spans follow.

    ``spans`` are (start, end) in code points of ``text``; ``typed``, ``pasted`` and ``active_ms``
    count since the last acknowledged save.
    """

    label: str | None = None
    text: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    correct: str = ""
    edits: tuple[Edit, ...] = ()
    edit_mode: bool = False
    question: str = ""
    typed: int = 0
    pasted: int = 0
    active_ms: int = 0
    declared: bool = False
    untranslatable: str = ""


def faults(sample: Sample, content: Content) -> list[Problem]:
    """What can be neither stored nor shown."""
    found: list[Problem] = []
    for name in ("text", "correct", "question", "untranslatable"):
        value = getattr(content, name)
        if len(value) > TEXT_MAX:
            found.append(Problem(name, _("At most %d characters.") % TEXT_MAX))
        try:
            clean(value, name)
        except Fault as fault:
            found.append(Problem(fault.field, fault.reason))
    codes = {label.code for label in writable(sample.project)}
    kept = sample.label is not None and sample.label.code == content.label
    if content.label is not None and content.label not in codes and not kept:
        listed = ", ".join(sorted(codes))
        found.append(Problem("label", _("Nobody writes this label: choose one of %s.") % listed))
    if content.edit_mode and sample.origin == Sample.Origin.TRANSLATED:
        found.append(Problem("edit_mode", _("A translation is not made of edits: send its text.")))
    if found:
        return found
    text = content.text
    spans: Sequence[tuple[int, int]] = content.spans
    if content.edit_mode:
        try:
            edited = apply(content.correct, content.edits)
        except BadEdit as error:
            return [wrong_edits.problem(error)]
        text, spans = edited.text, ()
        if len(text) > TEXT_MAX:
            return [Problem("edits", _("At most %d characters.") % TEXT_MAX)]
    records = [SpanRecord(start, end, "") for start, end in spans]
    return check_spans(records, len(text), {""}, False, set())


def label_gone(sample: Sample) -> bool:
    """Whether the writer's label was archived, or is written no more, since it was chosen."""
    label = sample.label
    return label is not None and not sample.parent_id and (label.archived or not label.writable)


def missing(sample: Sample, content: Content) -> list[Problem]:
    """What a sample needs before it is sent."""
    found = []
    translated = sample.origin == Sample.Origin.TRANSLATED
    if translated and not is_blank(sample.untranslatable):
        return []
    if is_blank(sample.text):
        found.append(Problem("text", _("Write the answer first.")))
    elif not translated and sample.text.strip() in (
        sample.brief.answer.strip(),
        sample.correct.strip(),
    ):
        found.append(Problem("text", _("This is the correct answer: it needs an error.")))
    if sample.edits and is_blank(sample.correct):
        found.append(Problem("correct", _("Write the correct answer first, then change it.")))
    if translated and not is_blank(sample.brief.question) and is_blank(sample.question):
        found.append(Problem("question", _("Translate the question too.")))
    if sample.label is None:
        found.append(Problem("label", _("Choose the kind of error that the answer holds.")))
    elif label_gone(sample):
        text = _("Nobody writes %s any more: choose another label.")
        found.append(Problem("label", text % sample.label))
    if not sample.spans:
        found.append(Problem("spans", _("Mark the error in the text.")))
    elif all(is_blank(sample.text[s["start"] : s["end"]]) for s in sample.spans):
        found.append(Problem("spans", _("Nothing but white space is marked.")))
    if sample.brief.image_id is None and not sample.brief.context and not sample.brief.question:
        found.append(Problem("brief", _("The brief has lost its picture: tell your coordinator.")))
    if not content.declared:
        text = _("Declare that you wrote this yourself, without a model.")
        if translated:
            text = _("Confirm that the translation holds the same error and nothing else wrong.")
        found.append(Problem("declared", text))
    return found


def unfit(sample: Sample, advice: Mapping[str, str]) -> list[Problem]:
    """What the project's policy refuses in a sample that is whole."""
    if sample.parent_id and not is_blank(sample.untranslatable):
        return []
    refused = [Problem(name, words(name)) for name in advice if advice[name] == checks.REFUSE]
    return overfull(sample, policy_of(sample.project)) + refused


def overfull(sample: Sample, policy: Policy) -> list[Problem]:
    """With a strict policy a label of which there are enough.

    What counts is the balance that the pages show: every stored sample, drafts too. Of drafts those
    count that were begun earlier, so that of several for the last place one can be sent. A
    translation and a new version take no place of the language's balance of their own.
    """
    if policy.balance != Policy.Balance.REQUIRE or sample.parent_id or sample.replaces_id:
        return []
    assert sample.label is not None  # noqa: S101 - `missing` came first
    wanted = target(sample.project, sample.language, sample.label.code)
    count = before(sample).count()
    if count < wanted:
        return []
    text = _("There are enough samples of %(label)s (%(n)d of %(target)d): choose another label.")
    values = {"label": sample.label.name, "n": count, "target": wanted}
    return [Problem("label", text % values)]


def words(check: str) -> str:
    """A check's finding as advice to the writer."""
    return {
        "label_gone": _("Nobody writes this kind of error any more: choose another one."),
        "too_short": _("The text is hardly more than the error: write a whole answer."),
        "near_duplicate": _("This is almost the same as an earlier sample."),
        "same_place": _("Your last errors stood at the same place of the text: vary it."),
        "wrong_language": _("This does not look like the language of the brief."),
        "text_in_picture": _("This kind of error needs a picture with text in it."),
        "large_change": _("The edits change a large part of the answer: make them smaller."),
        "in_evidence": _("The words you put in stand in the question or context already."),
        "hint_words": _("A word in the text gives the error away."),
        "repeated_original": _(
            "What you replaced stands in the answer more than once; your position counts."
        ),
    }[check]
