"""Everything that writes on the lesson side: one module a subject, keyword-only typed functions."""
