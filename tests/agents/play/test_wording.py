"""Words: every choice has one of its own, none tells what is hidden, the score adds up."""

from __future__ import annotations

import numpy as np
import pytest

from agents.lastdroid.points import HOUSES, NUM_PARTS, PART_NAMES, score_parts
from agents.play.sitting import walk
from agents.play.wording import NoCard, both, wording_for
from lastdroid_env.constants import FIRST_HOUSE, NUM_CARDS
from robots_env.constants import CARD_NAMES
from tests.games.tables import GAMES, TABLES, each_table

from .games import sat_down, sitting


def _last(ways):
    """The way to play that goes furthest."""
    return list(ways.values())[-1]


@each_table
def test_every_choice_has_words_of_its_own(table):
    for i, (at_table, wording) in enumerate(sitting(table, 7, _last(table.ways))):
        game = at_table.game
        if game.actor < 0 or i % 3:
            continue
        before = game.record.tobytes()
        choices = wording.choices(game)
        assert sorted(choice.action for choice in choices) == game.legal_actions()
        texts = [(choice.group, choice.text) for choice in choices]
        assert len(set(texts)) == len(texts) and all(text for _, text in texts), texts
        assert wording.question(game)[-1] in "?." and wording.brief(game, game.actor).endswith(".")
        groups = [choice.group for choice in choices]
        assert sorted(groups, key=list(dict.fromkeys(groups)).index) == groups  # each group in one piece
        assert game.record.tobytes() == before


@each_table
def test_what_happens_is_told(table):
    """In whole sentences, and of nothing that cannot be seen: a redealt game that looks the same is told the same."""
    told = 0
    for i, (at_table, wording) in enumerate(sitting(table, 8, _last(table.ways))):
        game, actor = at_table.game, at_table.game.actor
        if actor < 0 or i % 8:
            continue
        legal = game.legal_actions()
        action = legal[i % len(legal)]
        for viewer in range(game.num_players):
            if viewer == actor:
                continue
            steps = walk(game, action)
            other = game.twin(game.record)
            other.redeal_hidden(viewer, i)
            if action not in other.legal_actions():
                continue
            there = walk(other, action)
            for one, two in zip(steps, there, strict=False):
                if one.action != two.action or one.after.to_text(viewer) != two.after.to_text(viewer):
                    break  # from here on all see that the tables differ
                lines = wording.told(one, {viewer}, viewer)
                assert lines == wording.told(two, {viewer}, viewer)
                assert all(line[0] in 'ABCDEFGHIJKLMNOPQRSTUVWXYZp"' and line[-1] in ".!" for line in lines)
                told += len(lines)
    assert told > 0 or table.settings["num_players"] == 1


@each_table
def test_nothing_hidden_is_in_the_words(table):
    """Choices, question, score, cards and the log of a seat are the same when hidden cards are redealt."""
    for i, (at_table, wording) in enumerate(sitting(table, 9, table.ways["anything"])):
        if i % 25:
            continue
        game = at_table.game
        for seat in range(game.num_players):
            other = game.twin(game.record)
            other.redeal_hidden(seat, i)
            assert wording.score(other, {seat}) == wording.score(game, {seat})
            assert wording.brief(other, seat) == wording.brief(game, seat)
            if game.actor == seat:
                assert wording.choices(other) == wording.choices(game)
                assert wording.question(other) == wording.question(game)
            if table.package.__name__ == "lastdroid_env":
                for card in range(1, NUM_CARDS + 1, 7):
                    assert wording.card(str(card), other) == wording.card(str(card), game)


def test_the_parts_of_last_droids_scores_add_up():
    lastdroid = [table for table in TABLES if table.package.__name__ == "lastdroid_env"]
    seen = np.zeros(NUM_PARTS, bool)
    for table in lastdroid:
        for way in table.ways.values():
            for at_table, wording in sitting(table, 10, way):  # noqa: B007
                game = at_table.game
                points, _ = game.result()
                parts = np.zeros((len(points), NUM_PARTS), np.int64)
                score_parts(game.record, 0, game.tables, parts)
                assert parts.sum(axis=1).tolist() == points
                seen |= parts.any(axis=0)
            sheet = wording.score(game, ())
            assert sheet.rows[-1] == ["all", *map(str, points)]
            columns = np.array([[int(cell or 0) for cell in row[1:]] for row in sheet.rows])
            assert (columns[:-1].sum(axis=0) == columns[-1]).all()
    assert seen[:HOUSES].all() and seen[HOUSES:].sum() > 8 and len(PART_NAMES) == NUM_PARTS


def test_the_score_of_robots_adds_up_for_who_may_see_it():
    table = GAMES[1]
    for at_table, wording in sitting(table, 11, table.ways["layer"]):
        game = at_table.game
        points, _ = game.result()
        sheet = wording.score(game, {0})
        before, cards, robots, hand, everything = sheet.rows[0][1:]
        assert int(everything) == points[0] == int(before) + int(cards) + int(robots) + int(hand)
        assert (sheet.rows[1][-1] == "?") == (game.actor >= 0)
    assert [int(row[-1]) for row in sheet.rows] == points


def test_cards_are_explained():
    game = sat_down(GAMES[0], 1)[0].game
    wording = wording_for(game)
    texts = {number: " ".join(wording.card(str(number), game)) for number in range(1, NUM_CARDS + 1)}
    assert all("costs" in text for text in texts.values()) and len(set(texts.values())) == NUM_CARDS
    assert "not in this game" in texts[59] and "house 45" in texts[45].lower()
    assert wording.card("droid 7", game) == wording.card("7", game)
    assert sum("lies between player_0 and player_1" in texts[FIRST_HOUSE + i] for i in range(14)) == 4
    for wrong in ("0", "103", "nut", ""):
        with pytest.raises(NoCard, match="there is no card"):
            wording.card(wrong, game)
    game = sat_down(GAMES[1], 1)[0].game
    wording = wording_for(game)
    for card, name in CARD_NAMES.items():
        text = " ".join(wording.card(name.upper(), game))
        assert f"{game.tables['points'][0, card]} points" in text
    assert "shuffled" not in " ".join(wording.card("tractor beam", game))
    assert "every 9" in wording.card("laser", game)[0]
    for wrong in ("green 1", "green 15", "pink 3", "9"):
        with pytest.raises(NoCard, match="there is no card"):
            wording.card(wrong, game)


def test_lists():
    assert [both(items) for items in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
