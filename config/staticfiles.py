"""Static files under names that change with their content, so that browsers may keep them for good."""

from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORT = (r"""(?P<matched>\bfrom "(?P<url>\.\.?/[^"]+)";)""", 'from "%(url)s";')


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise ships no types
    """What a script of ours imports gets such a name too. (Django's own way of it fails on others' scripts.)"""

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", (IMPORT,)))
