"""Do the tests notice when a rule is broken? See ``run``."""
