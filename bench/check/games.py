"""Steps: whole games, with the checker as referee."""

from bench.check.steps import Skip, expect, fail, step
from bench.check.subject import Subject
from bench.check.talk import Talk
from bench.referee.referee import BadAnswer, Referee

DEAL = 77
MOST_PLIES = 4000
SHARED_PLIES = 80
"""Decisions after which a game of one process is broken off: it costs a whole log each time."""


async def _play(subject: Subject, talks: list[Talk], limits: str, most: int = MOST_PLIES) -> None:
    """Play one game, `most` decisions of it; seat N is decided by the process N of `talks`."""
    referee = Referee(subject.game, DEAL)
    for talk in talks:
        await talk.silent(f"{subject.dialect}newgame")
    while not referee.is_over and referee.plies < most:
        seat = referee.seat_to_move
        talk = talks[seat]
        await talk.send(referee.position_line(seat))
        answer = await talk.go(f"{limits} id {referee.plies}")
        expect(not answer.errors, "no complaint", str([error.text for error in answer.errors]))
        if subject.dialect == "uhi":
            expect(answer.go_id == str(referee.plies), f"id {referee.plies}", answer.go_id)
        try:
            referee.decide(answer.move)
        except BadAnswer as error:
            fail("a legal decision", str(error))
    at_end = referee.is_over and subject.knows("gameover")
    for seat, talk in enumerate(talks if at_end else []):
        await talk.place(referee.position_line(seat))
        over = await talk.ask("gameover")
        expect(over == "true", "the end of the game, response true", over)


@step("game-one-process", 6)
async def game_one_process(subject: Subject) -> None:
    """Play a game for all seats in one process."""
    talk = await subject.talk()
    await _play(subject, [talk] * subject.game.num_seats, "nodes 3 seed 1", SHARED_PLIES)


@step("game-processes", 6)
async def game_processes(subject: Subject) -> None:
    """Play a game to its end, a process for each seat, with Strict Views where there is that."""
    talks = [await subject.open() for _ in range(subject.game.num_seats)]
    for talk in talks:
        try:
            subject.option("Strict Views")
        except Skip:
            continue
        await talk.silent("setoption name Strict Views value true")
    await _play(subject, talks, "nodes 3")


@step("game-by-queries", 9, queries=("gameover", "p1turn", "legal", "result"), is_open=True)
async def game_by_queries(subject: Subject) -> None:
    """Let a runner that knows no rules play a game from `startpos` by queries alone."""
    talk = await subject.talk()
    line = await subject.startpos(talk)
    moves: list[str] = []
    while True:
        await talk.place(f"{line} moves {' '.join(moves)}" if moves else line)
        if await talk.ask("gameover") == "true":
            break
        first = await talk.ask("p1turn")
        expect(first in ("true", "false"), "response true or false", first)
        answer = await talk.go("nodes 2")
        legal = (await talk.ask("legal")).split(",")
        expect(answer.move in legal, f"bestmove with one of: {' '.join(legal)}", answer.move)
        moves.append(answer.move)
        expect(len(moves) < MOST_PLIES, "the end of the game", f"{len(moves)} decisions")
    result = await talk.ask("result")
    wins = [f"p{seat + 1}win" for seat in range(subject.game.num_seats)]
    expect(result in (*wins, "draw"), f"one of {' '.join(wins)} draw", result)
