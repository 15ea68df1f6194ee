from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0002_site_cache"),
    ]

    operations = [
        migrations.AddField(
            model_name="answer",
            name="confidence",
            field=models.PositiveSmallIntegerField(
                choices=[(1, "a guess"), (2, "fairly sure"), (3, "certain")], null=True
            ),
        ),
    ]
