from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0003_answer_confidence"),
    ]

    operations = [
        migrations.AddField(
            model_name="reviewlog",
            name="source",
            field=models.CharField(
                choices=[("card", "Card"), ("quiz", "Quiz"), ("myth", "Myth"), ("mistake", "Mistake")],
                db_default="card",
                default="card",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="reviewlog",
            name="undone",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
