"""The rules of Last Droid on one game record, a module a chapter of the rulebook, in its order.

``setup`` (S), ``choose`` (D), ``sheds`` (C5, A4, A5, A7), ``exchange`` (X), ``action`` (A), ``effects`` (F),
``season`` (N), ``scoring`` (G, H), ``solo`` (O); ``flow`` (T, E) decides who decides next, and holds the three
loops call: ``can``, ``make``, ``advance`` and ``write_mask``.

``g`` is a game (``state.GAME``), ``rules`` the card tables (``tables.TABLES``). ``can_x`` says whether a choice is
legal, ``do_x`` makes it; the mask is built from ``can_x`` alone. Each function names the rules it keeps in brackets.
"""
