"""Last Droid for people: the table as text."""
