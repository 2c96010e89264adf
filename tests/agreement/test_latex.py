"""The LaTeX table: its structure, what is escaped, and that it compiles where LaTeX is there."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from agreement.report import report
from agreement.tables import escaped, latex_table
from agreement.units import units_from_records
from tests.agreement.making import answers_of, item

ODD = r"50% of A_1 & {B} #2 ~^\ $x$ <y>"


def table(**options: str) -> str:
    items = [
        item(str(n), 20, answers_of("A", "AB", "" if n % 3 else "C"), strategy=(ODD, "map")[n % 2])
        for n in range(8)
    ]
    found = report(units_from_records(items), [["strategy"]], resamples=50)
    return latex_table(found.as_json(), **options)


def test_each_grouping_is_a_booktabs_table_with_metrics_down_and_groups_across():
    lines = table().splitlines()
    begin = r"\begin{tabular}{llrr}"
    assert begin in lines and all(line.startswith("%") for line in lines[: lines.index(begin)])
    rules = [line for line in lines if line.startswith("\\") and "rule" in line]
    assert rules == [r"\toprule", r"\midrule", r"\midrule", r"\bottomrule"]
    assert lines[-1] == r"\end{tabular}"
    rows = [line for line in lines if line.endswith(r"\\")]
    heads = [re.split(r"(?<!\\) ?& ", line)[:2] for line in rows[1:-1]]
    assert heads == [
        ["Presence", "free-marginal alpha"],
        ["Label", "unconditional"],
        ["", "given a hallucination"],
        ["Span", "requiring label match"],
        ["", "ignoring labels"],
    ]
    assert len({re.sub(r"\\&", "", line).count("&") for line in rows[1:-1]}) == 1
    assert rows[-1] == r"\multicolumn{2}{l}{Items} & 4 & 4 \\"


def test_values_carry_half_the_interval_or_both_of_its_ends():
    cell = r"\$-?\d\.\d{4}"
    assert re.search(cell + r" \\pm \d\.\d{4}\$", table())
    assert re.search(cell + r"\$ \$\[-?\d\.\d{4}, -?\d\.\d{4}\]\$", table(spread="interval"))


def test_what_latex_takes_for_itself_is_escaped():
    assert escaped(ODD) == (
        r"50\% of A\_1 \& \{B\} \#2 \textasciitilde{}\textasciicircum{}\textbackslash{} "
        r"\$x\$ \textless{}y\textgreater{}"
    )
    assert escaped("two\nlines\r") == "two lines "
    assert escaped(ODD) in table()


def test_without_a_grouping_the_whole_is_the_only_group():
    found = report(units_from_records([item("a", 20, answers_of("A", "A"))])).as_json()
    assert r"\multicolumn{2}{l}{Agreement} & All \\" in latex_table(found)


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="pdflatex is not there")
def test_the_table_compiles_with_booktabs(tmp_path):
    page = (
        r"\documentclass{article}\usepackage{booktabs}\begin{document}"
        f"\n{table()}\n{table(spread='interval')}\n" + r"\end{document}"
    )
    (tmp_path / "page.tex").write_text(page, encoding="utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "page.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
