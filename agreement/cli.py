"""``manage.py agreement SLUG|FILE``: what it takes and what it prints; a FILE needs no Django."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from agreement.question import BadQuestion, Question, check_groups, parse_question
from agreement.report import report
from agreement.stats import INTERVALS, POLICIES, Units, UnknownField
from agreement.tables import EMPTY_PAIRS, csv_table, latex_table, text_table

FIGURES = (".svg", ".png", ".pdf")
HELP = "Agreement of the annotators: presence, label and span, with bootstrap intervals."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="SLUG|FILE", help="a project, or a sheep or jsonl file")
    parser.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="FIELD[,FIELD]",
        help="group by an item field or a metadata key; several names are crossed; repeat it",
    )
    parser.add_argument("--resamples", default="1000", help="draws of the items (1000)")
    parser.add_argument("--seed", default="0", help="of the draws (0)")
    parser.add_argument("--level", default="0.95", help="of the intervals (0.95)")
    parser.add_argument("--interval", default=INTERVALS[0], help=" or ".join(INTERVALS))
    parser.add_argument(
        "--labels-of",
        default="first",
        type=lambda text: text.replace("-", "_"),
        choices=tuple(POLICIES),
        metavar="first|first-position|longest",
        help="which span gives an annotation its label, in the table and in --latex",
    )
    parser.add_argument(
        "--empty-pairs",
        default="one",
        type=lambda text: text.replace("-", "_"),
        choices=EMPTY_PAIRS,
        metavar="one|leave_out",
        help="what two annotations without a span count, in the table and in --latex",
    )
    parser.add_argument("--format", help="of the file: sheep or jsonl (guessed)")
    parser.add_argument("--figure", metavar="FILE", help="draw the intervals: .svg, .png or .pdf")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--json", action="store_true", help="all eleven statistics as JSON")
    kind.add_argument("--csv", action="store_true", help="all eleven statistics as CSV")
    kind.add_argument(
        "--latex",
        nargs="?",
        const="half-width",
        choices=("half-width", "interval"),
        help="a booktabs table",
    )


class Stop(Exception):
    """The message for standard error; the exit code is 1."""


def is_file(target: str) -> bool:
    """Whether the target is a file: a slug has neither a dot nor a slash, and a file wins."""
    return "." in target or "/" in target or "\\" in target or Path(target).is_file()


def question_of(options: dict[str, Any]) -> Question:
    names = ("by", "resamples", "seed", "level", "interval")
    figure = options["figure"]
    if figure and Path(figure).suffix.lower() not in FIGURES:
        raise Stop(f"--figure: the name ends in {', '.join(FIGURES)}, not {figure!r}")
    try:
        return parse_question(**{name: options[name] for name in names})
    except BadQuestion as error:
        raise Stop(f"--{error}") from None


def units_of_file(target: str, format: str | None) -> Units:
    from agreement.units import UnreadableFile, units_from_file

    try:
        return units_from_file(target, format)
    except UnreadableFile as error:
        raise Stop("\n".join(map(str, error.refusals))) from None
    except OSError as error:
        raise Stop(f"{target}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise Stop(f"{target}: {error}") from None


def answer(units: Units, question: Question, options: dict[str, Any]) -> str:
    """What the command prints; a figure is written on the way."""
    try:
        check_groups(units, question)
        found = report(units, question.groupings, **question.how()).as_json()
    except (UnknownField, BadQuestion) as error:
        raise Stop(f"--by: {error}".replace("--by: by:", "--by:")) from None
    if options["figure"]:
        from agreement.figures import intervals, save

        try:
            save(intervals(found, options["labels_of"], options["empty_pairs"]), options["figure"])
        except OSError as error:
            raise Stop(f"{options['figure']}: cannot be written: {error.strerror}") from None
    policy = options["labels_of"], options["empty_pairs"]
    if options["json"]:
        return json.dumps(found, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    if options["csv"]:
        return csv_table(found)
    if options["latex"]:
        return latex_table(found, *policy, options["latex"])
    return text_table(found, *policy)


def file_target(words: Sequence[str]) -> str | None:
    """The file that a command line names, if its target is one."""
    parser = argparse.ArgumentParser(prog="manage.py agreement", exit_on_error=False)
    add_arguments(parser)
    try:
        found, _rest = parser.parse_known_args(list(words))
    except (argparse.ArgumentError, SystemExit):
        return None
    return found.target if is_file(found.target) else None


def main(words: Sequence[str], out: TextIO | None = None, err: TextIO | None = None) -> int:
    """Run it on a file, without settings, key, folder or database; the exit code."""
    parser = argparse.ArgumentParser(prog="manage.py agreement", description=HELP)
    add_arguments(parser)
    for flag in ("--no-color", "--force-color", "--traceback", "--skip-checks"):
        parser.add_argument(flag, action="store_true", help=argparse.SUPPRESS)  # Django's own
    for name in ("--verbosity", "-v", "--settings", "--pythonpath"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    options = vars(parser.parse_args(list(words)))
    try:
        question = question_of(options)
        text = answer(units_of_file(options["target"], options["format"]), question, options)
    except Stop as stop:
        (err or sys.stderr).write(f"{stop}\n")
        return 1
    if out is None:
        sys.stdout.buffer.write(text.encode())  # UTF-8 whatever the terminal's locale says
    else:
        out.write(text)
    return 0
