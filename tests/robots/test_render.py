"""The table as text: all that lies open, of what is hidden one hand at most, within 110 columns."""

from __future__ import annotations

import pytest

from robots_env import Robots
from robots_env.constants import CARD_NAMES, DECISIONS, LANE, NO_CARD, NO_SPREAD, NOBODY, SUITS, WILD
from tests.robots.games import SETTINGS, anything, decisions, layer, scavenger
from tests.robots.reading import cards_in, last_shuffled, spreads_of


def flat(text: str) -> str:
    """The text without its line breaks."""
    return " ".join(text.split())


def named(cards: list[int]) -> str:
    return ", ".join(CARD_NAMES[card] for card in cards) or "none"


def many(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def piled(cards: list[int]) -> str:
    names, wilds = [], 0
    for card in cards:
        wilds += card == WILD
        names.append(f"wild {wilds}" if card == WILD else CARD_NAMES[card])
    return ", ".join(names)


def offers(text: str) -> bool:
    """Whether somebody's choices are listed."""
    return any(line.startswith("player_") and line.endswith(" may") for line in text.splitlines())


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_text_follows_the_game(setting):
    game = Robots(**SETTINGS[setting])
    for seed, choose in enumerate((layer, anything, scavenger)):
        for i, (legal, _) in enumerate(decisions(game, seed, choose)):
            if i % 10:
                continue
            text, g = game.to_text(game.actor), game.record[0]
            lines, whole = text.splitlines(), flat(text)
            assert text.isascii() and max(map(len, lines)) < 110 and "~" not in text
            assert (
                f"| turn {g['turns'] + 1} | dealer: player_{g['dealer']} | turn of player_{g['player']} |" in lines[0]
            )
            assert f"player_{game.actor} decides: {game.decision_to_string()}" in text
            may = lines.index(f"player_{game.actor} may")
            assert lines[may + 1 :] == [f"  {action}: {game.action_to_string(action)}" for action in legal]
            heap = piled(g["heap"][: g["heap_size"]][::-1].tolist())
            top = heap.replace(",", " [top],", 1) if "," in heap else f"{heap} [top]" if heap else "nothing"
            assert f"Heap, from its top ({many(g['heap_size'], 'card')}): {top}" in whole
            assert f"Factory: {many(g['factory_size'], 'card')}" in whole
            if g["under"]:
                assert f" {g['factory_size']}: {named(g['factory'][: g['under']][::-1].tolist())} " in whole
            if g["refills"]:
                assert f"last with {named(last_shuffled(g))} " in whole
            for seat in range(game.num_players):
                hand, known = cards_in(g["hand"][seat]), cards_in(g["known"][seat])
                line = f"{many(len(hand), 'card')} in hand, known: {named(known)} "
                assert line in whole[whole.index(f" player_{seat}: {many(g['scores'][seat], 'point')}") :]
                assert (f"hand: {named(hand)} (" in whole) >= (seat == game.actor)
            assert text.count("    hand: ") == 1
        check_end(game)


def check_end(game):
    winners = " and ".join(f"player_{seat}" for seat, won in enumerate(game.result()[1]) if won)
    text = game.to_text(0)
    assert ("nobody has won." in text) == game.truncated != (f"The match is over. Won by {winners}.\n" in text)
    assert not offers(text) and " decides: " not in text


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_spread_is_there(setting):
    """With what its wilds and stars stand for, and who played a card that is not its owner's."""
    game = Robots(**SETTINGS[setting])
    for i, _ in enumerate(decisions(game, 5, layer)):
        if i % 10:
            continue
        g = game.record[0]
        lines, wilds = [], 0
        for slot, owner, number, suit, cards in spreads_of(g):
            words = []
            for cell, card in sorted(cards.items()):
                word = SUITS[cell] if number else f"{cell + 1}"
                wilds += card == WILD
                sign = f"wild {wilds} for " if card == WILD else "star for " if card % LANE == 0 else ""
                if card == WILD:
                    (by,) = (seat for seat in range(5) if g["wilds_by"][slot][seat] >> cell & 1)
                else:
                    (by,) = (seat for seat in range(5) if card in cards_in(g["played"][seat]))
                words.append(sign + word + (f" (by player_{by})" if by != owner else ""))
            kind = f"set {number}" if number else f"run {SUITS[suit]} {min(cards) + 1}-{max(cards) + 1}"
            robot = f" [robot of player_{g['robot'][slot]}]" if g["robot"][slot] != NOBODY else ""
            lines.append(f"{slot + 1}: {kind} of player_{owner}: {', '.join(words)}{robot}")
        expected = f" Spreads {' '.join(lines)} Rules: " if lines else " Spreads: none Rules: "
        assert expected in flat(game.to_text())


@pytest.mark.parametrize("setting", SETTINGS)
def test_nothing_hidden_is_shown(setting):
    """Redealt, the same text: for a seat with its hand, for nobody with none."""
    game = Robots(**SETTINGS[setting])
    for i, _ in enumerate(decisions(game, 8, scavenger)):
        if i % 10:
            continue
        for seat in range(game.num_players):
            other = game.twin(game.record)
            other.redeal_hidden(seat, i)
            assert other.to_text(seat) == game.to_text(seat)
            assert other.to_text() == game.to_text()
        assert "    hand: " not in game.to_text() and not offers(game.to_text())
        assert not offers(game.to_text((game.actor + 1) % game.num_players))


def test_the_play_under_way_is_told():
    told = set()
    for setting in SETTINGS.values():
        game = Robots(**setting)
        for seed, choose in enumerate((scavenger, anything)):
            for _ in decisions(game, seed, choose):
                g = game.record[0]
                busy = g["adding"] != NO_CARD or g["laying"] != NO_SPREAD or g["must_play"] != NO_CARD
                if not busy and g["decisions"] % 8:
                    continue
                text = flat(game.to_text(game.actor).split("\n\n")[0])
                if g["laying"] != NO_SPREAD:
                    others = flat(game.to_text((game.actor + 1) % game.num_players).split("\n\n")[0])
                    assert "decides: play" in others and "(laying" not in others
                if g["adding"] != NO_CARD:
                    assert f"adding {CARD_NAMES[int(g['adding'])]}" in text
                    told.add("adding")
                if g["laying"] != NO_SPREAD:
                    assert "(laying run " in text or "(laying set " in text
                    told |= {"laying"} | {sign for sign in ("wild", "star") if f"{sign} for " in text}
                if g["must_play"] != NO_CARD:
                    assert f"{CARD_NAMES[int(g['must_play'])]} must be played at once" in text
                    told.add("due")
                if g["lays"]:
                    assert f"{many(g['lays'], 'card')} still to be laid" in text
                    told.add("lays")
                if DECISIONS[g["decision"]] == "call":
                    assert f"{CARD_NAMES[int(g['heap'][g['heap_size'] - 1])]} can be added" in text
                    told.add("call")
                told |= {what for what in ("skipped", "acted this turn", "may not be discarded") if what in text}
    assert len(told) == 10, told


def test_the_rule_set_is_told():
    game = Robots(2, rounds=3, rules={"star_high": 15, "powers": {4: "laser", 12: "short circuit"}})
    game.deal(1)
    assert "\nRules: 3 rounds; stars count as 1 or 15; powers: 4 laser, 12 short circuit\n" in game.to_text()
    game = Robots(2, rules={"powers": {}})
    game.deal(1)
    assert "\nRules: to 250 points; stars count as 1 or 14; powers: none\n" in game.to_text()
