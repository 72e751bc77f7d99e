"""The rules of Robots! on one game record, a module a chapter of the rulebook, in its order.

``setup`` (C), ``piles`` and ``hands`` (D2, D4, W11), ``draw`` (D), ``spreads`` (P), ``laying`` (P1-P4: new spreads),
``discard`` (K), ``powers`` (W), ``scoring`` (E); ``flow`` decides who decides next, and holds what the loops
call: ``can``, ``make``, ``advance`` and ``write_mask``.

``g`` is a game (``state.GAME``), ``rules`` a rule set (``tables.TABLES``). ``can_x`` says whether a choice is legal,
``do_x`` makes it; the mask is built from ``can_x``, or from the set of choices in which ``can_x`` looks. Each function
names the rules it keeps in brackets.
"""
