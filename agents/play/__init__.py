"""A person at the table, in the terminal: ``python -m agents play``."""
