#!/usr/bin/env python3
"""Heed's command line: `python manage.py help` lists what it can do."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.dev")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # For whoever started this to mend: where in our code it was found is of no help.
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"ImproperlyConfigured: {error}")


if __name__ == "__main__":
    main()
