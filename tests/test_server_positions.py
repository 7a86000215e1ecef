"""Positions and queries."""

import re

import pytest
from talking import OTHER, VIEW, bestmoves

# ---- positions ----


def test_a_longer_log_is_not_replayed(talk):
    session = talk.server.session
    talk.send(VIEW)
    assert session.replayed == 2
    talk.send(f"{VIEW} p1:pass")
    assert session.replayed == 1
    talk.send(f"{VIEW}  p1:pass \t p2:bet ")
    assert session.replayed == 4, "other blanks: read again"
    talk.send(f"{VIEW}  p1:pass \t p2:bet")
    assert session.replayed == 0
    assert talk.ask("query view") == ["response kuhn/1;me=p1;hand.p1=K;hand.p2=?;actions=pb"]
    talk.send(VIEW)
    assert session.replayed == 2
    talk.send(OTHER)
    assert session.replayed == 3


def test_a_word_that_only_begins_alike_is_no_prefix(talk):
    talk.send("position startpos moves bet")
    assert talk.ask("position startpos moves better")[0].startswith(
        "info string error bad-position token 4:"
    )
    assert talk.ask("query turn")[-1] == "response none"


@pytest.mark.parametrize("change", ["ucinewgame", "setoption name Game value kuhn"])
def test_a_new_game_or_setting_reads_from_the_start(talk, change):
    talk.send(VIEW, change, f"{VIEW} p1:pass")
    assert talk.server.session.replayed == 3


@pytest.mark.parametrize(
    ("position", "code", "token"),
    [
        ("position", "bad-position", 2),
        ("position nonsense", "bad-position", 2),
        ("position view", "bad-position", 3),
        ("position view nonsense", "bad-position", 3),
        ("position view nonsense/1 me=p1", "bad-position", 3),
        ("position view kuhn/7", "bad-position", 3),
        ("position view kuhn/1 me=p1 hand.p1=X", "bad-position", 5),
        ("position view kuhn/1 me=p9", "bad-position", 4),
        ("position view kuhn/1 flurb=p1", "bad-position", 4),
        ("position view kuhn/1 me=p1 hand.p1=K hand.p2=Q", "bad-position", 6),
        ("position fen kuhn/1 seed=x", "bad-position", 4),
        ("position fen kuhn/1 seed=-1", "bad-position", 4),
        ("position fen kuhn/1 me=p1 seed=1", "bad-position", 5),
        ("position fen kuhn/1 hand.p1=K hand.p2=Q seed=1", "bad-position", 6),
        (f"{VIEW} p1:fold", "bad-position", 8),
        (f"{VIEW} p1:bet p2:bet p1:bet", "illegal-move", 10),
        (f"{VIEW} p2:bet", "illegal-move", 8),
        (f"{VIEW} ~deal@p1=Q", "inconsistent-view", 8),
        ("position view kuhn/1 me=p1 moves ~deal@p1=?", "inconsistent-view", 6),
        ("position view kuhn/1 me=p1 moves ~deal@p1=K ~deal@p2=Q", "inconsistent-view", 7),
        ("position view kuhn/1 me=p1 moves bet", "illegal-move", 6),
        ("position startpos moves bet ~deal@p1=K", "bad-position", 5),
        ("position startpos moves ~deal@p1=K ~deal@p2=K", "bad-position", 5),
        ("position startpos seed=5", "bad-position", 3),
        ("position startpos x moves bet", "bad-position", 3),
        ("position fen kuhn/1 seed=4 seed=5", "bad-position", 5),
    ],
)
def test_a_bad_position_is_refused_and_none_is_left(talk, position, code, token):
    for before in (VIEW, "ucinewgame"):
        lines = talk.ask("uhi", before, "isready", position)
        lines = lines[lines.index("readyok") + 1 :]
        assert len(lines) == 1
        assert lines[0].startswith(f"error {code} token {token}:"), lines
        lines = talk.ask("go nodes 50 id 3")
        assert lines == ["error no-position id=3 there is no valid position", "bestmove 0000 id 3"]
        assert bestmoves(talk.ask(VIEW, "go nodes 50"))[0] != "0000"


@pytest.mark.parametrize("text", ["startpos moves", "startpos", "fen kuhn/1 seed=3 moves"])
def test_moves_may_be_empty(talk, text):
    assert bestmoves(talk.ask(f"position {text}", "go nodes 50"))[0] != "0000"


def test_open_deals(talk):
    views = set()
    for seed in range(30):
        lines = talk.ask(f"position fen kuhn/1 seed={seed}", "query view")
        assert lines == talk.ask(f"position view kuhn/1 seed={seed} moves", "query view")
        views.add(lines[0])
    assert len(views) == 3, "seat 1 is shown its own card only"
    assert talk.ask("position startpos", "query view") == talk.ask(
        "position startpos moves", "query view"
    )
    assert talk.ask("position startpos moves pass", "query turn") == ["response p2"]
    assert talk.ask("query view")[0].startswith("response kuhn/1;me=p2;hand.p1=?")


def test_an_open_log_begins_with_luck(talk):
    talk.send("position startpos moves ~deal@p1=K")
    assert talk.ask("query turn") == ["response chance"]
    assert talk.ask("query view", "query legal", "query hash") == ["response -"] * 3
    assert talk.ask("go nodes 5")[0] == "info string no decision: luck decides here"
    talk.send("position startpos moves ~deal@p1=K ~deal@p2=J bet pass")
    assert talk.ask("query gameover", "query result", "query scores", "query ranks") == [
        "response true",
        "response p1win",
        "response 1,-1",
        "response 1,2",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "startpos",
        "startpos moves ~deal@p1=K",
        "fen kuhn/1 seed=1",
        "fen kuhn/1 hand.p1=K hand.p2=Q",
    ],
)
def test_strict_views_refuse_open_cards(talk, text):
    talk.send("setoption name strict VIEWS value TRUE")
    assert talk.ask(f"position {text}")[0].startswith("info string error bad-position token")
    assert bestmoves(talk.ask("go nodes 5")) == ["0000"]
    assert bestmoves(talk.ask(VIEW, "go nodes 5"))[0] != "0000"


def test_turning_strict_drops_an_open_position(talk):
    talk.send("position startpos", "setoption name Strict Views value true")
    assert bestmoves(talk.ask("go nodes 5")) == ["0000"]


# ---- queries ----


def test_queries_of_a_view(talk):
    answers = {
        "p1turn": "true",
        "gameover": "false",
        "result": "none",
        "turn": "p1",
        "players": "2",
        "ranks": "none",
        "legal": "pass,bet",
        "view": "kuhn/1;me=p1;hand.p1=K;hand.p2=?;actions=-",
        "game": "kuhn/1",
    }
    talk.send(VIEW)
    for word, value in answers.items():
        assert talk.ask(f"query {word}") == [f"response {value}"]
    assert re.fullmatch(r"response [0-9a-f]{16}", talk.ask("query hash")[0])


def test_a_seat_that_does_not_decide_has_no_moves(talk):
    talk.send(f"{VIEW} p1:bet")
    assert talk.ask("query turn", "query legal") == ["response p2", "response -"]
    assert talk.ask("go nodes 9") == [
        "info string no decision: seat 2 decides here, and this is the view of seat 1",
        "bestmove 0000",
    ]


def test_a_result_is_told_only_to_who_can_know_it(talk):
    assert talk.ask(f"{VIEW} bet bet", "query result", "query scores") == [
        "response p1win",
        "response 2,-2",
    ]
    middle = "position view kuhn/1 me=p1 moves ~deal@p1=Q ~deal@p2=? bet"
    assert talk.ask(f"{middle} pass", "query result") == ["response p1win"]
    assert talk.ask(f"{middle} bet", "query gameover", "query result", "query scores") == [
        "response true",
        "response none",
        "response ?,?",
    ]


def test_query_without_a_position_still_has_a_response(talk):
    assert talk.ask("query result") == [
        "info string error no-position there is no valid position",
        "response none",
    ]
    assert talk.ask("query game") == ["response kuhn/1"]
    assert talk.ask("query flurb")[-1] == "response none"


def test_people_get_info_strings(talk):
    lines = talk.ask("help", "d", "legal", VIEW, "d", "legal")
    assert len(lines) > 12
    assert all(line.startswith("info string") for line in lines)
    assert "king" in "".join(lines)
    assert "RULES.md" in "".join(lines)
    assert "open cards" not in "".join(lines)
