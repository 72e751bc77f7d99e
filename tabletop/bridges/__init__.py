"""Bridges to other libraries: one module a client, which needs the client's own extra to be installed.

Nothing else imports them. See ``docs/bridges.md``.
"""
