"""The figures of a report against a plain count over games of the environments."""

from __future__ import annotations

import itertools
import json
from collections import Counter, defaultdict

import numpy as np
import pytest

import lastdroid_env
import robots_env
from agents.baselines import uniform
from agents.match import deals_for
from agents.report.collect import report
from agents.report.figures import distribution, histogram
from lastdroid_env import LastDroid
from lastdroid_env.actions import DISMANTLE
from robots_env import Robots
from tests.robots.reading import cards_in

GAMES = 6
SEED = 11


def played(package, players, **settings):
    """Games of the random agent, decision by decision, in the AEC environment."""
    deals, generators = deals_for(SEED, GAMES)
    env = package.env(num_players=players, **settings)
    for deal, streams in zip(deals, generators, strict=True):
        env.reset(seed=int(deal))
        seats = {agent: streams[i : i + 1].copy() for i, agent in enumerate(env.possible_agents)}
        choices = []
        while env.game.actor >= 0:
            agent = env.agent_selection
            seen = env.observe(agent)
            choices.append((env.game.decision_to_string(), int(seen["action_mask"].sum())))
            env.step(uniform(seen["observation"], seen["action_mask"], seats[agent]))
        yield env, choices


@pytest.mark.parametrize(
    ("game", "package", "players", "settings"),
    [("lastdroid", lastdroid_env, n, {}) for n in (1, 2, 3, 4)]
    + [("robots", robots_env, n, {"rounds": 2}) for n in (2, 3, 5)],
)
def test_general_figures(game, package, players, settings):
    found = report(game, [players], ["random"], games=GAMES, seed=SEED, settings=settings)["players"][str(players)]
    figures = found["random"]
    lengths, kinds, logs, scores, winners = [], defaultdict(list), [], [], []
    for env, choices in played(package, players, **settings):
        lengths.append(len(choices))
        logs.append(sum(np.log10(n) for _, n in choices))
        for kind, n in choices:
            kinds[kind].append(n)
        scores.append(list(env.scores().values()))
        winners.append(env.winners())
    assert figures["length"]["decisions"]["mean"] == round(np.mean(lengths), 2)
    assert figures["length"]["decisions"]["max"] == max(lengths)
    every = [n for counts in kinds.values() for n in counts]
    assert figures["choices"]["all"]["mean"] == round(np.mean(every), 2) and figures["choices"]["all"]["max"] == max(
        every
    )
    for kind, counts in kinds.items():
        row = figures["choices"]["kinds"][kind]
        assert row["mean"] == round(np.mean(counts), 2) and row["max"] == max(counts)
        assert row["50 %"] == np.percentile(counts, 50, method="inverted_cdf")
        assert round(row["decisions"] * (1 - row["forced"])) == len(counts)
    assert figures["tree"]["log10"]["mean"] == round(np.mean(logs), 2)
    expected = np.log10(np.mean([10.0 ** (log - max(logs)) for log in logs])) + max(logs)
    assert figures["tree"]["log10 of the mean"] == pytest.approx(expected, abs=0.06)
    ends = figures["ends"]
    assert ends["games"] == GAMES and ends["cut short"] == 0
    if players == 1:
        assert ends["wins"] == np.mean([bool(w) for w in winners])
        assert ends["scores"]["mean"] == round(np.mean([points[0] for points in scores]), 2)
        return
    sides = [(0, 3), (1, 2)] if game == "lastdroid" and players == 4 else [(seat,) for seat in range(players)]
    by_side = [[min(points[seat] for seat in side) for side in sides] for points in scores]
    assert ends["scores"]["mean"] == round(np.mean(by_side), 2)
    margins = [sorted(points)[-1] - sorted(points)[-2] for points in by_side]
    assert ends["margins"]["mean"] == round(np.mean(margins), 2)
    assert sum(ends["histogram"]["counts"]) == GAMES * len(sides)
    assert sum(place["wins"] for place in ends["places"]) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("game", ["lastdroid", "robots"])
def test_places_are_counted_from_who_began(game):
    """In the first deal alone, whoever won sat where the figures say."""
    players = 3
    figures = report(game, [players], ["random"], games=1, seed=SEED)["players"]["3"]["random"]
    table = (LastDroid if game == "lastdroid" else Robots)(players)
    table.deal(int(deals_for(SEED, 1)[0][0]))
    began = table.actor
    package = lastdroid_env if game == "lastdroid" else robots_env
    env, _ = next(played(package, players))
    wins = [place["wins"] for place in figures["ends"]["places"]]
    assert [f"player_{(began + place) % players}" for place, share in enumerate(wins) if share] == env.winners()


def test_droids_and_houses():
    figures = report("lastdroid", [2], ["random"], games=GAMES, seed=SEED)["players"]["2"]["random"]
    repaired: Counter[int] = Counter()
    dismantled: Counter[int] = Counter()
    built: Counter[int] = Counter()
    won_with: defaultdict[int, float] = defaultdict(float)
    extensions = []
    deals, generators = deals_for(SEED, GAMES)
    for deal, streams in zip(deals, generators, strict=True):
        game = LastDroid(2, ask_forced=True)
        game.deal(int(deal))
        seats = [streams[seat : seat + 1].copy() for seat in range(2)]
        while game.actor >= 0:
            legal = game.legal_actions()
            action = legal[0] if len(legal) == 1 else uniform(*game.view(game.actor), seats[game.actor])
            if action == DISMANTLE:
                slot = game.record["given_to"][0].tolist().index(game.actor)
                dismantled[int(game.record["offer"][0][slot])] += 1
            game.act(action)
        wins = game.result()[1]
        shares = [won / sum(wins) for won in wins]
        for card, place in enumerate(game.record["place"][0].tolist()):
            if place >= 8:
                repaired[card] += 1
                won_with[card] += shares[place - 8]
        for house, seat in enumerate(game.record["builder"][0].tolist()):
            built[45 + house] += seat >= 0
        extensions.append(game.record["extensions"][0][:2].sum(axis=1) @ shares)
    for card, row in ((int(name), row) for name, row in figures["droids"].items()):
        assert row["repaired"]["n"] == repaired[card] and row["dismantled"]["n"] == dismantled[card]
        if repaired[card]:
            assert row["repaired"]["wins"] == round(won_with[card] / repaired[card], 4)
    assert {int(name): row["built"]["n"] for name, row in figures["houses"].items()} == {
        house: built[house] for house in map(int, figures["houses"])
    }
    assert sum(row["games"] for row in figures["houses"].values()) == 4 * GAMES
    features = figures["contributions"]["features"]
    assert features["shed extensions"]["winners"] == round(np.mean(extensions), 3)
    points = figures["points"]
    assert sum(winners for winners, _ in points.values()) == pytest.approx(
        figures["ends"]["winner's scores"]["mean"], abs=0.1
    )


def test_rounds_of_robots():
    settings = {"rounds": 2}
    figures = report("robots", [3], ["random"], games=GAMES, seed=SEED, settings=settings)["players"]["3"]["random"]
    rounds = []  # by round: what each seat did, and its points
    for env, _ in played(robots_env, 3, **settings):
        replayed = robots_env.replay(env.game_record())
        game = replayed.game.twin(replayed.start)
        game.record["ask_forced"] = 1
        done: list[Counter[str]] = [Counter() for _ in range(3)]
        actions = iter(replayed.actions)
        while game.actor >= 0:
            legal = game.legal_actions()
            action = legal[0] if len(legal) == 1 else next(actions)[1]
            name, seat, decision = game.action_to_string(action), game.actor, game.decision_to_string()
            before = int(game.record["round_number"][0])
            hand = len(cards_in(game.record["hand"][0][seat]))
            if name.startswith("lay set"):
                done[seat]["sets laid"] += 1
            elif name.startswith("lay run"):
                done[seat]["runs laid"] += 1
            elif name.startswith("add"):
                done[seat]["cards added"] += 1
            elif name == "call":
                done[seat]["calls"] += 1
            elif name.startswith("pick") and decision == "draw":
                done[seat]["takes off the heap"] += 1
            elif name.startswith("discard"):
                if hand == 1:
                    done[seat]["went out"] += 1
                elif name.split()[-1] in ("3", "9"):
                    done[seat]["recycle discarded" if name.endswith(" 3") else "laser discarded"] += 1
            game.act(action)
            if game.actor < 0 or game.record["round_number"][0] != before:
                rounds.append((done, game.record["round_scores"][0][:3].tolist()))
                done = [Counter() for _ in range(3)]
        assert next(actions, None) is None
    assert len(rounds) == 2 * GAMES == figures["contributions"]["units"]
    assert figures["round scores"]["mean"] == round(np.mean([points for _, points in rounds]), 2)
    for name in ("sets laid", "runs laid", "cards added", "calls", "takes off the heap", "went out", "laser discarded"):
        row = figures["contributions"]["features"][name]
        of_winners = [done[int(np.argmax(points))][name] for done, points in rounds]
        every = [sum(by_seat[name] for by_seat in done) for done, _ in rounds]
        others = [(total - won) / 2 for total, won in zip(every, of_winners, strict=True)]
        assert row["winners"] == round(np.mean(of_winners), 3) and row["others"] == round(np.mean(others), 3)
    went_out = sum(done[seat]["went out"] for done, _ in rounds for seat in range(3))
    assert figures["rounds end"]["somebody went out"] == round(went_out / len(rounds), 4)
    assert sum(figures["rounds end"].values()) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("game", ["lastdroid", "robots"])
def test_the_same_seed_gives_the_same_report(game):
    one, other = (report(game, [2], ["random", "greedy"], games=30, seed=5) for _ in range(2))
    assert json.dumps(one) == json.dumps(other) != json.dumps(report(game, [2], ["random", "greedy"], games=30, seed=6))
    assert list(one["players"]["2"]) == ["random", "greedy"]
    alone = report(game, [2], ["greedy"], games=30, seed=5)
    assert alone["players"]["2"]["greedy"] == one["players"]["2"]["greedy"]


def test_progress_is_told():
    told: list[tuple[int, int]] = []
    report("lastdroid", [1, 2], ["random"], games=25, progress=lambda *done: told.append(done))
    assert told == [(20, 50), (25, 50), (45, 50), (50, 50)]


def test_distributions():
    found = distribution([3, 1, 2, 10])
    assert found == {"n": 4, "mean": 4.0, "sd": 4.08, "min": 1.0, "5 %": 1.0, "25 %": 1.0, "50 %": 2.0, "75 %": 3.0,
                     "95 %": 10.0, "max": 10.0}  # fmt: skip
    assert distribution([]) == {"n": 0} and distribution([2])["sd"] is None
    for values in ([1], [0, 1, 2], list(range(-7, 100))):
        bins = histogram(values)
        assert sum(bins["counts"]) == len(values) and len(bins["counts"]) <= 24
        assert all(a <= bins["width"] for a, _ in itertools.zip_longest(bins["counts"], []))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": [6]}, "not by 6 players"),
        ({"agents": []}, "at least one agent"),
        ({"agents": ["nobody"]}, "no agent for lastdroid is called 'nobody'"),
        ({"games": 0}, "games must be a whole number from 1 to 100,000, not 0"),
        ({"games": 10**9}, "games must be a whole number"),
        ({"seed": -1}, "seed must be a whole number from 0, not -1"),
        ({"settings": {"hurd": 1}}, "Last Droid has no setting 'hurd'"),
    ],
)
def test_mistakes_are_explained(arguments, message):
    with pytest.raises(ValueError, match=message):
        report("lastdroid", **{"games": 1, **arguments})
