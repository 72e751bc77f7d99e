"""What distinguishes one player from another: how much each thing counts."""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """How a player values things, in points unless said otherwise. All numbers are floats: the code is compiled once
    for all styles."""

    # Cards in hand, as shares of their points.
    laid: float = 0.98  # a card that will be laid
    caught: float = 0.09  # lost for a card that will not
    caught_late: float = 0.26  # the same, more, times 1 / the cards in the smallest hand of the others
    wild: float = 18.0  # a wild in hand
    wild_late: float = -3.3  # times 1 / the cards in that hand
    card: float = -0.69  # each card in hand, whatever it is
    number: float = 0.0  # a card, for each other of its number in hand or in a set on the table: points
    robot: float = 0.66  # a card whose number may become a robot: of the robot's points
    keep_recycle: float = 0.03  # powers in hand, to be used later
    keep_parts: float = -3.6
    keep_laser: float = 0.39
    keep_circuit: float = 1.9
    # Chances.
    turns: float = 1.4  # how many unseen cards come into hand before the round ends
    turns_each: float = 0.92  # and more for each card in the smallest hand of the others
    heap: float = 0.35  # of a card on the heap to be had when it is wanted
    held: float = 0.1  # of a card that another is known to hold
    fits: float = 0.94  # of a card that fits a spread to be added
    fits_barred: float = 0.67  # the same, before the first spread of one's own
    beside: float = 0.53  # of a card next to such a place, once the card between them is there
    with_wild: float = 0.43  # that a wild in hand serves a card
    # Plays.
    eager: float = 6.8  # what it gives up to lay or add at once rather than later
    wait: float = 0.0  # it lays nothing while all others have more cards than this,
    wait_cards: float = 0.0  # unless no more than so many cards are left then
    three: float = 0.22  # a new spread of three, which a laser breaks
    robot_risk: float = 1.1  # a set of four whose fifth card others may have
    out: float = 3.8  # each card in another's hand when the round ends
    win: float = 30.0  # to end the match as its winner
    lose: float = 35.0  # to end it as its loser
    # Discards.
    gift: float = 1.4  # what others may do with a card, as a share of its worth to them
    gift_fits: float = 1.2  # a card that others can add at once
    recycle: float = 0.78  # of what the hand gains
    parts: float = 3.9
    tractor: float = 0.67
    laser: float = 0.89  # of the harm
    to_be_robot: float = 0.0  # harm to a set of four on its way to a robot
    laser_back: float = 0.16  # of the harm that the next player can do with it, a share
    returned: float = 0.84  # a card that goes back to its owner's hand, as a share of twice its points
    laser_heap: float = 5.9  # as long as so many cards lie on what was burnt
    circuit: float = 9.1  # of two players
    circuit_more: float = 3.7  # of more
    taken: float = -3.1  # a card that everybody knows it holds is not to go round for ever
    # Draws.
    take: float = 1.1  # a take must be so much better than drawing
    patience: float = 49.0  # after so many turns takes get worse: rounds are not to go in circles
    impatience: float = 0.33  # by so much a turn
    deep: float = 0.0  # each card taken off the heap
    leader: float = 0.1  # how much more what harms the leader counts, three players or more
