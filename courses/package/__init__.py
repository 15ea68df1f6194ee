"""The course package: its format, reading, validation, Markdown and compiling. No Django.

The entry points are `load_package`, `compile_package` and `check_package` in `compiling`, `load_exercise` in
`exercises`, `Registry` in `registry`, `Problem` and `PackageError` in `problems`. docs/package-format.md is the format.
"""
