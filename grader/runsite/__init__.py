"""What `manage.py runsite` does: prepare the site, run its processes, stop them."""


class SiteError(Exception):
    """The site cannot be started; the message says why and what to do."""
