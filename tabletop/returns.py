"""Returns in compiled code: points and wins turned into what each player gets at the end."""

from __future__ import annotations

from .jit import kernel

REWARDS = ("win", "margin", "score")
"""``"win"``: zero-sum, the winners share +1, the others -1, all 0 when everybody wins; ``"margin"``: own points less
the mean of the others'; ``"score"``: own points. Compiled code knows them by their place here."""
WIN, MARGIN, SCORE = range(3)


@kernel
def share_win(wins, seats, players, returns):
    """``wins`` of all seats (solo: the opponent's too) into the players' returns."""
    winners = 0
    for seat in range(seats):
        winners += wins[seat]
    for player in range(players):
        if winners == seats:
            returns[player] = 0.0
        elif wins[player] == 1:
            returns[player] = 1.0 / winners
        else:
            returns[player] = -1.0 / (seats - winners)


@kernel
def margins(points, seats, players, returns):
    """Own points less the mean of the other seats'."""
    total = 0
    for seat in range(seats):
        total += points[seat]
    for player in range(players):
        returns[player] = points[player] - (total - points[player]) / (seats - 1)


@kernel
def own_points(points, players, returns):
    """The points themselves."""
    for player in range(players):
        returns[player] = points[player]
