"""The table of the site's cache (settings.CACHES), so that whoever migrates has it."""

from __future__ import annotations

from django.core.management import call_command
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def create(_apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):
    dependencies = [("courses", "0001_initial")]

    operations = [migrations.RunPython(create, migrations.RunPython.noop)]
