"""Robots! for people: the table as text."""
