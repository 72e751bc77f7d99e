"""What distinguishes one player from another: how much each thing counts."""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """How a player values things, in points unless said otherwise. All numbers are floats: the code is compiled once
    for all styles."""

    # Cards in hand, as shares of their points.
    laid: float = 1.0  # a card that will be laid
    caught: float = 0.35  # lost for a card that will not
    caught_late: float = 0.6  # the same, more, times 1 / the cards in the smallest hand of the others
    wild: float = 18.0  # a wild in hand
    wild_late: float = -6.0  # times 1 / the cards in that hand
    card: float = 0.0  # each card in hand, whatever it is
    number: float = 0.0  # a card, for each other of its number in hand or in a set on the table: points
    robot: float = 0.3  # a card whose number may become a robot: of the robot's points
    keep_recycle: float = 0.5  # powers in hand, to be used later
    keep_parts: float = 0.5
    keep_laser: float = 2.0
    keep_circuit: float = 2.0
    # Chances.
    turns: float = 2.0  # how many unseen cards come into hand before the round ends
    turns_each: float = 0.6  # and more for each card in the smallest hand of the others
    heap: float = 0.5  # of a card on the heap to be had when it is wanted
    held: float = 0.05  # of a card that another is known to hold
    fits: float = 0.97  # of a card that fits a spread to be added
    fits_barred: float = 0.6  # the same, before the first spread of one's own
    beside: float = 0.8  # of a card next to such a place, once the card between them is there
    with_wild: float = 0.4  # that a wild in hand serves a card
    # Plays.
    eager: float = 3.0  # what it gives up to lay or add at once rather than later
    wait: float = 0.0  # it lays nothing while all others have more cards than this,
    wait_cards: float = 0.0  # unless no more than so many cards are left then
    three: float = 0.0  # a new spread of three, which a laser breaks
    robot_risk: float = 4.0  # a set of four whose fifth card others may have
    out: float = 4.0  # each card in another's hand when the round ends
    win: float = 30.0  # to end the match as its winner
    lose: float = 30.0  # to end it as its loser
    # Discards.
    gift: float = 1.0  # what others may do with a card, as a share of its worth to them
    gift_fits: float = 1.0  # a card that others can add at once
    recycle: float = 0.8  # of what the hand gains
    parts: float = 3.0
    tractor: float = 0.0
    laser: float = 0.7  # of the harm
    to_be_robot: float = 8.0  # harm to a set of four on its way to a robot
    laser_heap: float = 6.0  # as long as so many cards lie on what was burnt
    circuit: float = 9.0  # of two players
    circuit_more: float = 2.0  # of more
    taken: float = 4.0  # a card that everybody knows it holds is not to go round for ever
    # Draws.
    take: float = 1.0  # a take must be so much better than drawing
    deep: float = 0.0  # each card taken off the heap
    leader: float = 0.3  # how much more what harms the leader counts, three players or more
