"""The transcripts together show every word of the protocol, in each dialect and state it has.

What is counted stands between the lines sent: a line sent is seen in the dialect and the state that
the lines before it have led to, and its answer is what is expected before the next one.
"""

from typing import NamedTuple

import pytest
from talking import ROOT

from protocol import messages
from protocol.messages import DIALECTS, UCI, UGI, UHI, parse_go, split_command, take_word
from protocol.options import BUTTON, CHECK, COMBO, SPIN, STRING
from protocol.server import Server

SERVER = Server(1)
PEOPLE = sorted(SERVER._people)
COMMANDS = sorted([*SERVER._handlers, *PEOPLE, "quit"])
OPTIONS = list(SERVER.options._options.values())
STATES = ("idle", "timed", "infinite", "ponder")
NEW_GAMES = tuple(f"{dialect}newgame" for dialect in DIALECTS)
END = "end of input"
LONG_MS = 10_000
# A constant for each error code, named like it.
CODES = {
    value
    for name, value in vars(messages).items()
    if name.isupper() and value == name.replace("_", "-").lower()
} - set(DIALECTS)


class Sent(NamedTuple):
    """A line sent."""

    dialect: str
    state: str
    """One of STATES; `short` during a search that may be over at any moment."""
    command: str
    """Its command; "" if there is none."""
    rest: str
    answers: list[str]


def sent_lines(session):
    """Yield what is sent in one session of a transcript."""
    dialect, state, searches = UCI, "idle", 0
    sent = None
    for line in session.splitlines():
        mark, _, text = line.partition(" ")
        if mark == ">":
            if sent:
                yield sent
            command, rest = take_word(text)
            if command not in PEOPLE:
                command, rest = split_command(text, SERVER._words)
            sent = Sent(dialect, state, command, rest, [])
            if command == "go":
                searches += 1
                go = parse_go(rest)
                limited = go.infinite or go.ponder or (go.movetime or 0) < LONG_MS or go.nodes
                state = "infinite" if go.infinite else "ponder" if go.ponder else "timed"
                state = "short" if limited and state == "timed" else state
            elif command == "ponderhit" and state == "ponder":
                state = "short"
        elif mark == "<" and sent:
            sent.answers.append(text)
            if text.startswith("bestmove"):
                searches -= 1
                state = state if searches else "idle"
            elif text in ("uciok", "ugiok", "uhiok"):
                dialect = text[:-2]
    if sent:
        yield sent
    if not sent or sent.command != "quit":
        yield Sent(dialect, state, END, "", [])


SENT = [
    sent
    for path in sorted((ROOT / "tests" / "transcripts").glob("*.txt"))
    for session in path.read_text().split("\n---\n")
    for sent in sent_lines(session)
]


def test_every_command_in_every_state():
    """The table of SPEC.md 4; what the commands do there, each transcript says itself."""
    seen = {(sent.command, sent.state) for sent in SENT}
    wanted = {(command, state) for command in (*COMMANDS, END) for state in STATES}
    assert not wanted - seen


@pytest.mark.parametrize("state", STATES[1:])
def test_what_ends_a_search_and_what_does_not(state):
    """In the transcripts an answer holds `bestmove` exactly where the table says so."""
    ends = {"position", "setoption", "go", "stop", *NEW_GAMES}
    for sent in SENT:
        if sent.state != state or sent.command in ("quit", END):
            continue
        has_ended = any(answer.startswith("bestmove") for answer in sent.answers)
        hit = sent.command == "ponderhit" and state == "ponder"
        assert hit or has_ended == (sent.command in ends), sent
    refused = {
        sent.command for sent in SENT if sent.state == state and "error" in " ".join(sent.answers)
    }
    assert refused >= {"position", "setoption", "query", ""}


def test_every_query():
    answered = {
        take_word(sent.rest)[0]
        for sent in SENT
        if sent.command == "query" and sent.answers[-1] != "response none"
    }
    assert answered == set(messages.QUERIES)


def test_every_kind_of_option():
    """Each kind is set and refused, save a button, and each option is set."""
    done, refused, echoed = set(), set(), " ".join(x for sent in SENT for x in sent.answers)
    for sent in SENT:
        if sent.command != "setoption" or not sent.answers:
            continue
        for option in OPTIONS:
            if sent.answers[-1].startswith(f"info string option {option.name} ="):
                done.add(option.kind)
            if sent.answers[-1].startswith(f"error bad-value option {option.name}"):
                refused.add(option.kind)
    assert done == {CHECK, SPIN, COMBO, STRING, BUTTON}
    assert refused == {CHECK, SPIN, COMBO, STRING}
    for option in OPTIONS:
        assert option.setting or f"option {option.name} =" in echoed, option.name


def test_every_key_of_go():
    words = {word for sent in SENT if sent.command == "go" for word in sent.rest.split()}
    assert not messages._GO_WORDS - words


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_error_code(dialect):
    start = "error " if dialect == UHI else "info string error "
    answers = [answer for sent in SENT if sent.dialect == dialect for answer in sent.answers]
    codes = {take_word(x.removeprefix(start))[0] for x in answers if x.startswith(start)}
    # No input brings about a fault of the engine itself; test_server_options.py plants one.
    unseen = (
        {messages.INTERNAL} if dialect == UHI else {messages.INTERNAL, messages.UNKNOWN_COMMAND}
    )
    assert codes == CODES - unseen and len(CODES) == 10


@pytest.mark.parametrize("dialect", [UCI, UGI])
def test_silence_at_an_unknown_command(dialect):
    unknown = [sent for sent in SENT if sent.dialect == dialect and not sent.command]
    assert unknown and not any(sent.answers for sent in unknown)


@pytest.mark.parametrize(
    ("dialect", "forms"),
    [
        (UCI, {"bestmove", "bestmove ponder"}),
        (UGI, {"bestmove"}),
        (UHI, {"bestmove", "bestmove ponder", "bestmove id", "bestmove ponder id"}),
    ],
)
def test_every_form_of_bestmove(dialect, forms):
    """In each dialect with and without an id, with and without option Ponder."""
    lines = [x for sent in SENT if sent.dialect == dialect for x in sent.answers]
    assert {" ".join(x.split()[::2]) for x in lines if x.startswith("bestmove")} == forms
    goes = [sent.rest for sent in SENT if sent.dialect == dialect and sent.command == "go"]
    assert {" id " in rest for rest in goes} == {True, False}
