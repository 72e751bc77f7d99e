"""What distinguishes one player from another: how much each thing counts."""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """How a player values things, in points unless said otherwise. All numbers are floats: the code is compiled once
    for all styles."""

    # Cards in hand, as shares of their points.
    laid: float = 0.95  # a card that will be laid
    caught: float = 0.08  # lost for a card that will not
    caught_late: float = 0.22  # the same, more, times 1 / the cards in the smallest hand of the others
    wild: float = 17.0  # a wild in hand
    wild_late: float = -4.0  # times 1 / the cards in that hand
    card: float = -0.54  # each card in hand, whatever it is
    number: float = 0.0  # a card, for each other of its number in hand or in a set on the table: points
    robot: float = 0.41  # a card whose number may become a robot: of the robot's points
    # Powers in hand, to be used later; below 0 rather now.
    keep_recycle: float = -0.6
    keep_parts: float = -2.3
    keep_laser: float = 1.1
    keep_circuit: float = 1.2
    # Chances.
    turns: float = 1.9  # how many unseen cards come into hand before the round ends
    turns_each: float = 0.97  # and more for each card in the smallest hand of the others
    heap: float = 0.33  # of a card on the heap to be had when it is wanted
    held: float = 0.12  # of a card that another is known to hold
    fits: float = 0.92  # of a card that fits a spread to be added
    fits_barred: float = 0.68  # the same, before the first spread of one's own
    beside: float = 0.48  # of a card next to such a place, once the card between them is there
    with_wild: float = 0.45  # that a wild in hand serves a card
    # Plays.
    eager: float = 7.4  # what it gives up to lay or add at once rather than later
    wait: float = 0.0  # it lays nothing while all others have more cards than this,
    wait_cards: float = 0.0  # unless no more than so many cards are left then
    wait_turns: float = 1000.0  # or the round has lasted so many turns: all would wait for each other
    three: float = 0.0  # a new spread of three, which a laser breaks
    robot_risk: float = 0.0  # a set of four whose fifth card others may have
    out: float = 4.0  # each card in another's hand when the round ends
    win: float = 30.0  # to end the match as its winner
    lose: float = 35.0  # to end it as its loser
    # Discards.
    gift: float = 1.0  # what others may do with a card, as a share of its worth to them
    gift_fits: float = 0.9  # a card that others can add at once
    recycle: float = 0.83  # of what the hand gains
    parts: float = 4.9
    tractor: float = 0.7
    laser: float = 0.39  # of the harm
    to_be_robot: float = 0.0  # harm to a set of four on its way to a robot
    laser_returns: float = 0.15  # of the harm that its return would do, as long as few cards lie on what was burnt
    returned: float = 0.92  # a card that goes back to its owner's hand, as a share of twice its points
    laser_heap: float = 3.6  # as long as so many cards lie on what was burnt
    circuit: float = 6.7  # of two players
    circuit_more: float = 4.3  # of more
    taken: float = 0.0  # a card with such a power that it took off the heap, lest it go round for ever
    # Draws.
    take: float = 1.9  # a take must be so much better than drawing
    patience: float = 45.0  # after so many turns takes get worse: rounds are not to go in circles
    impatience: float = 0.36  # by so much a turn
    resigned: float = 0.0  # so much a turn to end the round where only the heap is left
    deep: float = 0.0  # each card taken off the heap
    leader: float = 0.1  # how much more what harms the leader counts, three players or more
