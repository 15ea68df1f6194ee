import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0004_review_sources"),
    ]

    operations = [
        migrations.CreateModel(
            name="ReadingPosition",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lesson", models.SlugField()),
                ("block", models.SlugField()),
                ("read", models.DateTimeField()),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reading_positions",
                        to="courses.learner",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("learner", "lesson"), name="reading_position_one_per_lesson")
                ],
            },
        ),
    ]
