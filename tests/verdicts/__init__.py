"""A corpus of submissions, each with the verdict that it must get. They run in the real sandbox."""
