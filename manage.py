#!/usr/bin/env python
"""Run a management command of the site."""

import os
import sys


def agreement_of_file() -> None:
    """``agreement FILE`` needs neither key nor folder nor database, so no settings either."""
    from agreement import cli

    if cli.file_target(sys.argv[2:]) is not None:
        raise SystemExit(cli.main(sys.argv[2:]))


def main() -> None:
    if sys.argv[1:2] == ["agreement"]:
        agreement_of_file()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
