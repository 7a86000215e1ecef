"""Answers about the current position: `query` for programs, `d` and `legal` for people."""

from protocol.messages import format_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.game import State
    from protocol.session import Position

WORLDS = 16
"""Worlds compared to find out whether a seat knows a result or score."""


def answer(position: "Position", word: str) -> str:
    """Return the answer to `query word`, before blanks become `;`."""
    return _ANSWERS[word](position)


def _p1turn(position: "Position") -> str:
    return "true" if position.state.seat_to_move == 0 else "false"


def _gameover(position: "Position") -> str:
    return "true" if position.state.is_terminal else "false"


def _turn(position: "Position") -> str:
    state = position.state
    if state.is_terminal:
        return "none"
    return "chance" if state.is_chance else f"p{state.seat_to_move + 1}"


def _result(position: "Position") -> str:
    returns = _returns(position)
    if not returns or "?" in returns:
        return "none"
    best = max(returns)
    winners = [seat for seat, value in enumerate(returns) if value == best]
    return f"p{winners[0] + 1}win" if len(winners) == 1 else "draw"


def _ranks(position: "Position") -> str:
    returns = _returns(position)
    if not returns or "?" in returns:
        return "none"
    return format_list(1 + sum(other > value for other in returns) for value in returns)


def _scores(position: "Position") -> str:
    return format_list(_known(position.state, lambda state: [f"{x:g}" for x in state.scores()]))


def _returns(position: "Position") -> list[str]:
    """Return what each seat got as texts of one length, none before the end, `?` if not known."""
    state = position.state
    if not state.is_terminal:
        return []
    return _known(state, lambda world: [f"{x:.6f}" for x in world.returns()])


def _known(state: "State", ask: "Callable[[State], list[str]]") -> list[str]:
    """Return what `ask` says of a state; of a view, `?` where its worlds differ."""
    if state.observer < 0:
        return ask(state)
    from engine.stream import RandomStream

    answers = [ask(state.determinize(RandomStream(i))) for i in range(WORLDS)]
    return [column[0] if len(set(column)) == 1 else "?" for column in zip(*answers, strict=True)]


def _players(position: "Position") -> str:
    return str(position.state.game.num_seats)


def _legal(position: "Position") -> str:
    return format_list(legal_words(position))


def _view(position: "Position") -> str:
    view = position.view()
    return view.to_text() if view is not None else "-"


def _hash(position: "Position") -> str:
    view = position.view()
    if view is None:
        return "-"
    key = view.key() if view.observer < 0 else view.infoset_key(view.observer)
    return f"{key:016x}"


def _game(position: "Position") -> str:
    return position.state.game.identity


_ANSWERS = {
    "p1turn": _p1turn,
    "gameover": _gameover,
    "result": _result,
    "turn": _turn,
    "players": _players,
    "scores": _scores,
    "ranks": _ranks,
    "legal": _legal,
    "view": _view,
    "hash": _hash,
    "game": _game,
}


def legal_words(position: "Position") -> list[str]:
    """Return the words of all legal moves, none if the position's seat does not decide."""
    view = position.view()
    if view is None or position.why_no_decision():
        return []
    return [view.game.move_name(move) for move in view.legal_moves()]


def describe_legal(position: "Position") -> list[str]:
    """Return one line for each legal move: its word, and what it does in a player's words."""
    view = position.view()
    reason = position.why_no_decision()
    if view is None or reason:
        return [f"no decision: {reason}"]
    moves = [(view.game.move_name(move), move) for move in view.legal_moves()]
    width = max(len(word) for word, _ in moves)
    return [f"{word:{width}}  {view.game.describe_move(view, move)}" for word, move in moves]


def draw(position: "Position") -> list[str]:
    """Return the lines that show the position to a person."""
    view = position.view()
    if view is None:
        return ["luck decides here, so there is no seat whose view could be shown"]
    return [*view.game.picture(view).splitlines(), f"text: {view.to_text()}"]


def describe_belief(position: "Position") -> list[str]:
    """Return what the seat of the view takes hidden things to be, the likeliest first.

    One line for each thing, with its values and their probabilities; where what the others did says
    more than the deal alone, a second line with the probabilities by the deal alone.
    """
    view = position.view()
    if view is None:
        return ["luck decides here, so there is no seat whose belief could be shown"]
    belief = position.belief()
    if belief is None:
        return ["no beliefs: " + ("the game is over" if view.is_terminal else _EVEN)]
    lines = []
    for thing, values in belief.rows():
        believed = _shares(sorted(((p, word) for word, p, _ in values), key=_likely_first))
        dealt = _shares(sorted(((p, word) for word, _, p in values), key=_likely_first))
        lines.append(f"belief {thing} {believed}")
        if dealt != believed:
            lines.append(f"dealt {thing} {dealt}")
    return lines or ["nothing is hidden"]


_EVEN = "in this game all deals that fit count as likely as they are dealt"


def _likely_first(item: tuple[float, str]) -> tuple[float, str]:
    return (-round(item[0], 3), item[1])


def _shares(items: list[tuple[float, str]]) -> str:
    return " ".join(f"{word} {share:.3f}" for share, word in items)


HELP = """\
Drakkar plays games with hidden cards over a text protocol (UCI, UGI or its own UHI).
  uci | ugi | uhi                  introduce yourself; uhi also reports errors as such
  setoption name Game value NAME   choose the game; the options are listed by uci
  position startpos                deal the game; d shows what the seat to move knows
  position startpos moves M1 M2    the same after some moves
  position fen GAME/1 seed=7       another deal
  position view GAME/1 me=p1 moves EVENTS   what seat 1 has seen, hidden cards as ?
  go nodes 1000 | go movetime 500 | go infinite, stop    think and answer with a move
  d | legal                        draw the position | list the legal moves
  belief                           how likely hidden cards are, from all that was seen
  query turn | legal | result | scores | view            the same for programs
  quit                             leave
All commands and fields are described in protocol/SPEC.md; the letters of moves, cards and
pictures in the RULES.md of each game."""
