"""A small engine for Kuhn poker in plain Python, which imports nothing of Drakkar.

So the checker meets an engine written by somebody else. The choice takes no time: the answer to
`go infinite` and `go ponder` is kept until it may be printed. Copies of it with one fault each are
in faulty_engines.py.
"""

import os
import random
import re
import sys
import zlib

MAX_LINE = 1048576
CARDS = "JQK"
LEGAL = {"": "pb", "p": "pb", "b": "pb", "pb": "pb"}
RESULT = {"pp": 1, "bb": 2, "pbb": 2, "bp": "p1", "pbp": "p2"}
WORDS = {"pass": "p", "bet": "b"}
GO_NUMBERS = {"movestogo", "movetime", "depth", "nodes", "mate", "multipv", "worlds", "seed"}
GO_NUMBERS |= {f"p{seat}{what}" for seat in "1234" for what in ("time", "inc")}
ALIASES = {"wtime": "p1time", "btime": "p2time", "winc": "p1inc", "binc": "p2inc"}
GO_WORDS = GO_NUMBERS | set(ALIASES) | {"infinite", "ponder", "searchmoves", "id"}
QUERIES = "turn p1turn gameover result players scores ranks legal view hash game".split()
OPTIONS = {  # type, default, and what follows in the declaration
    "Game": ("combo", "kuhn", "var kuhn"),
    "MultiPV": ("spin", "1", "min 1 max 9"),
    "Move Overhead": ("spin", "10", "min 0 max 100"),
    "Strict Views": ("check", "false", ""),
    "Ponder": ("check", "false", ""),
    "UCI_ShowWDL": ("check", "true", ""),
    "Nick Name": ("string", "<empty>", ""),
    "Clear Hash": ("button", "", ""),
}


class Refused(Exception):
    """A line that is refused: code and text."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def split(text):
    return re.findall(r"[^ \t\r]+", text)


def number(word):
    if not re.fullmatch(r"[+-]?[0-9]+", word):
        return None
    return max(-(2**63), min(2**63 - 1, int(word)))


def quoted(text):
    return ascii(text[:60])


class Position:
    """Cards of both seats (`?` unknown, "" not dealt), actions, and whose view it is (0: open)."""

    def __init__(self, me=0, cards=("", ""), actions="", deal=None):
        self.me, self.cards, self.actions, self.deal = me, list(cards), actions, deal
        self.draw()

    def draw(self):
        while self.deal and self.turn == "chance":
            self.cards[self.cards.index("")] = self.deal.pop(0)

    @property
    def turn(self):
        if "" in self.cards:
            return "chance"
        return "none" if self.actions in RESULT else f"p{1 + len(self.actions) % 2}"

    @property
    def seat(self):
        """The seat whose knowledge counts; 0 if there is no such one."""
        return self.me or (int(self.turn[1]) if self.turn[0] == "p" else 0)

    @property
    def legal(self):
        if self.turn[0] != "p" or self.me not in (0, int(self.turn[1])):
            return []
        return [word for word, letter in WORDS.items() if letter in LEGAL[self.actions]]

    def apply(self, token):
        seat, colon, word = token.rpartition(":")
        deal = re.fullmatch(r"~deal@p([12])=([JQK?])", token)
        if not deal and (word not in WORDS or seat not in ("", "p1", "p2")):
            raise Refused("bad-position", f"{quoted(token)} is no event")
        if not deal:
            if self.turn[0] != "p" or (colon and seat != self.turn):
                raise Refused("illegal-move", f"{quoted(token)}: it is the turn of {self.turn}")
            self.actions += WORDS[word]
            return
        code = "inconsistent-view" if self.me else "bad-position"
        at, card = int(deal[1]) - 1, deal[2]
        hidden = self.me not in (0, at + 1)
        fits = self.turn == "chance" and not self.deal and at == self.cards.index("")
        if not fits or hidden != (card == "?") or card in self.cards and card != "?":
            raise Refused(code, f"{quoted(token)} does not fit what is known")
        self.cards[at] = card

    def view(self):
        seat = self.seat
        cards = [c if i + 1 == seat or not seat or not c else "?" for i, c in enumerate(self.cards)]
        me = f"me=p{seat} " if seat else ""
        one, two = (card or "-" for card in cards)
        return f"kuhn/1 {me}hand.p1={one} hand.p2={two} actions={self.actions or '-'}"

    def worlds(self):
        """All pairs of cards that may be."""
        unknown = [c for c in CARDS if c not in self.cards] if "?" in self.cards else [""]
        return [[c.replace("?", other) for c in self.cards] for other in unknown]

    def payoffs(self):
        """The points of seat 1 in each world."""
        won = RESULT.get(self.actions, 0)
        if isinstance(won, str):
            return {1 if won == "p1" else -1}
        return {won if CARDS.index(a) > CARDS.index(b) else -won for a, b in self.worlds() if won}


def read_position(words, number_of_first, strict):
    """Return the position of a text; its first word is word `number_of_first` of the line."""

    def wrong(at, text):
        return Refused("bad-position", f"token {number_of_first + at}: {text}")

    if words[0] != "kuhn/1":
        raise wrong(0, f"{quoted(words[0])} is not kuhn/1")
    fields = {}
    for at, word in enumerate(words[1:], 1):
        key, equals, value = word.partition("=")
        if key not in ("me", "hand.p1", "hand.p2", "actions", "seed") or key in fields:
            raise wrong(at, f"{quoted(word)}: no such field, or twice")
        fields[key] = value
    me = {"p1": 1, "p2": 2, None: 0}.get(fields.get("me"))
    cards = [fields.get(key, "-") for key in ("hand.p1", "hand.p2")]
    actions = fields.get("actions", "-")
    actions = "" if actions == "-" else actions
    known = [card for card in cards if card in ("J", "Q", "K")]
    hidden = [i for i, card in enumerate(cards) if card == "?"]
    dealt = [card for card in cards if card != "-"]
    if me is None or any(card not in "JQK?-" or len(card) != 1 for card in cards):
        raise wrong(1, "seats are p1 and p2, cards are J, Q and K")
    if actions not in LEGAL and actions not in RESULT:
        raise wrong(len(words) - 1, "these actions can't be")
    if len(set(known)) < len(known) or (actions and len(dealt) < 2) or cards[0] == "-" != cards[1]:
        raise wrong(1, "these cards can't be")
    if hidden != [i for i, card in enumerate(cards) if card != "-" and me not in (0, i + 1)]:
        raise wrong(1, "these cards can't be known, or must be")
    if not me and strict:
        raise wrong(0, "open, and Strict Views is on")
    deal = None
    if "seed" in fields:
        seed = number(fields["seed"])
        if seed is None or seed < 0 or dealt or me:
            raise wrong(words.index(f"seed={fields['seed']}"), "a seed of the empty table only")
        deal = random.Random(seed).sample(CARDS, 2)
    return Position(me, ["" if card == "-" else card for card in cards], actions, deal)


class Engine:
    """The engine. Faults are subclasses."""

    def __init__(self):
        self.dialect = "uci"
        self.options = {name: default for name, (_, default, _) in OPTIONS.items()}
        self.position = None
        self.held = []  # the answer that waits for `stop` or `ponderhit`
        self.pondering = False
        commands = "debug go isready ponderhit position query register setoption stop quit".split()
        self.commands = {word: getattr(self, f"do_{word}") for word in commands}
        for dialect in ("uci", "ugi", "uhi"):
            self.commands[dialect] = lambda text, dialect=dialect: self.do_handshake(dialect, text)
            self.commands[f"{dialect}newgame"] = self.do_newgame

    # ---- lines ----

    def serve(self):
        for raw in self.raw_lines():
            line = raw.removesuffix(b"\n")
            if len(line.rstrip(b"\r")) > MAX_LINE:
                self.too_long()
            else:
                self.handle(line.decode("utf-8", "replace"))
        self.leave()

    def raw_lines(self):
        return sys.stdin.buffer

    def leave(self):
        sys.exit(0)

    def too_long(self):
        self.error("parse", "the line is too long")

    def handle(self, line):
        try:
            for match in re.finditer(r"[^ \t\r]+", line):
                if match[0] in self.commands:
                    self.commands[match[0]](line[match.end() :])
                    return
            if split(line):
                self.unknown(line)
        except Refused as refused:
            self.error(refused.code, str(refused))

    def unknown(self, line):
        if self.dialect == "uhi":
            self.error("unknown-command", quoted(line))

    def say(self, *lines):
        try:
            sys.stdout.write("".join(f"{self.form(line)}\n" for line in lines))
            sys.stdout.flush()
        except BrokenPipeError:
            os._exit(0)

    def form(self, line):
        """Cut a `bestmove` to what the dialect of the latest handshake allows."""
        if line.startswith("bestmove ") and self.dialect == "ugi":
            return " ".join(line.split(" ")[:2])
        if line.startswith("bestmove ") and self.dialect == "uci":
            return line.partition(" id ")[0]
        return line

    def error_line(self, code, text, go_id=""):
        if self.dialect != "uhi":
            return f"info string error {code} {text}"
        return f"error {code} id={go_id} {text}" if go_id else f"error {code} {text}"

    def error(self, code, text, go_id=""):
        self.say(self.error_line(code, text, go_id))

    # ---- commands ----

    def do_handshake(self, dialect, text):
        words = split(text)
        if dialect == "uhi" and words and words[0].removeprefix("uhi/").split(".")[0] != "1":
            raise Refused("unsupported", "this is uhi/1")
        self.dialect = dialect
        self.say("id name Small", "id author nobody")
        for name, (kind, default, more) in OPTIONS.items():
            value = f" default {default}" if default else ""
            self.say(f"option name {name} type {kind}{value} {more}".rstrip())
        if dialect == "uhi":
            self.say("feature protocol=uhi/1", "feature dialects=uci,ugi,uhi")
            self.say(f"feature maxline={MAX_LINE}", "feature json=0", "feature views=strict")
            self.say("feature reproducible=nodes+seed", "game kuhn/1 seats=2")
        self.say(f"{dialect}ok")

    def do_setoption(self, text):
        self.end_search()
        found = re.fullmatch(
            r"[ \t\r]+name[ \t\r]+(.*?)(?:[ \t\r]+value(?:[ \t\r](.*))?)?", text.rstrip("\r"), re.S
        )
        name = " ".join(split(found[1])) if found else ""
        if not name or name == "value":
            raise Refused("parse", "setoption name N [value V]")
        key = next((key for key in OPTIONS if key.lower() == name.lower()), None)
        if key is None:
            raise Refused("bad-option", quoted(name))
        self.set_option(key, (found[2] or "").strip(" \t\r"))

    def set_option(self, key, value):
        kind, _, more = OPTIONS[key]
        count = number(value)
        low_high = [int(word) for word in more.split() if word.isdigit()]
        good = {
            "button": True,
            "string": True,
            "check": value.lower() in ("true", "false"),
            "combo": value.lower() == "kuhn",
            "spin": count is not None and low_high and low_high[0] <= count <= low_high[1],
        }[kind]
        if not good:
            raise Refused("bad-value", f"{key} does not take {quoted(value)}")
        self.options[key] = value.lower()
        if key == "Strict Views" and value.lower() == "true" and self.position:
            self.position = self.position if self.position.me else None

    def do_debug(self, text):
        pass

    do_register = do_debug

    def do_isready(self, text):
        self.say("readyok")

    def do_newgame(self, text):
        self.end_search()
        self.position = None

    def do_position(self, text):
        self.end_search()
        self.position = None
        words = ["position", *split(text)]
        at = words.index("moves") if "moves" in words else len(words)
        head, events = words[:at], words[at + 1 :]
        kind = next((i for i, w in enumerate(head) if w in ("startpos", "fen", "view")), None)
        strict = self.options["Strict Views"] == "true"
        if kind is None or (head[kind] == "startpos") != (kind + 1 == len(head)):
            raise Refused("bad-position", "token 2: startpos, or fen or view and a text")
        if head[kind] != "startpos":
            position = read_position(head[kind + 1 :], kind + 2, strict)
        elif strict:
            raise Refused("bad-position", "token 2: open, and Strict Views is on")
        else:
            dealt = not events or not events[0].startswith("~")
            position = Position(deal=["K", "Q"] if dealt else None)
        for i, token in enumerate(events):
            try:
                position.apply(token)
            except Refused as refused:
                raise Refused(refused.code, f"token {at + 2 + i}: {refused}") from None
            position.draw()
        self.position = position

    def do_query(self, text):
        word = (split(text) or [""])[0]
        position = self.position
        if word not in QUERIES:
            self.error("bad-value", "no such query")
            self.say("response none")
        elif position is None and word != "game":
            self.error("no-position", "there is none")
            self.say("response none")
        else:
            self.say(f"response {self.answer(word, position)}")

    def answer(self, word, position):
        if word == "game":
            return "kuhn/1"
        if word in ("result", "ranks", "scores"):
            return self.answer_points(word, position)
        return {
            "turn": position.turn,
            "p1turn": str(position.turn == "p1").lower(),
            "gameover": str(position.turn == "none").lower(),
            "players": "2",
            "legal": ",".join(position.legal) or "-",
            "view": "-" if position.turn == "chance" else position.view().replace(" ", ";"),
            "hash": self.hash(position),
        }[word]

    def answer_points(self, word, position):
        over = position.turn == "none"
        points = position.payoffs() if over else {0}
        if word == "scores":
            return f"{min(points)},{-min(points)}" if len(points) == 1 else "?,?"
        if not over or len(points) > 1:
            return "none"
        first = min(points) > 0
        if word == "result":
            return "p1win" if first else "p2win"
        return "1,2" if first else "2,1"

    def hash(self, position):
        return f"{zlib.crc32(position.view().encode()):016x}"

    def do_quit(self, text):
        self.leave()

    # ---- thinking ----

    def do_stop(self, text):
        self.end_search()

    def do_ponderhit(self, text):
        if self.pondering:
            self.end_search()

    def end_search(self):
        lines, self.held, self.pondering = self.held, [], False
        self.say(*lines)

    def do_go(self, text):
        self.end_search()
        go, words = {}, split(text)
        for i, word in enumerate(words):
            value = words[i + 1] if i + 1 < len(words) and words[i + 1] not in GO_WORDS else None
            if word in ("infinite", "ponder"):
                go[word] = True
            elif word == "searchmoves":
                end = next((k for k in range(i + 1, len(words)) if words[k] in GO_WORDS), None)
                go["searchmoves"] = words[i + 1 : end]
            elif value is not None and word == "id":
                go["id"] = value
            elif value is not None and ALIASES.get(word, word) in GO_NUMBERS:
                if number(value) is not None:
                    go[ALIASES.get(word, word)] = number(value)
        if not go.get("id", "x").isprintable() or len(go.get("id", "")) > 64:
            self.error("bad-value", "go id: 64 printable characters at most")
            del go["id"]
        self.start(go)

    def start(self, go):
        position, go_id = self.position, go.get("id", "")
        infinite = "infinite" in go
        if position is not None and position.legal:
            limits = {"movetime", "depth", "nodes", "mate", "worlds", f"{position.turn}time"}
            if not limits & set(go) and not infinite and "ponder" not in go:
                self.error("bad-value", "no limit: until stop", go_id)
                infinite = True
        lines = self.think(go, position, go_id)
        if infinite or "ponder" in go:
            self.held, self.pondering = lines, not infinite
        else:
            self.say(*lines)

    def think(self, go, position, go_id):
        """Return the lines of the answer."""
        if position is None:
            reason = self.error_line("no-position", "there is none", go_id)
            return [reason, self.bestmove("0000", "", go_id)]
        if not position.legal:
            reason = f"info string no decision: it is the turn of {position.turn}"
            return [reason, self.bestmove("0000", "", go_id)]
        rng = random.Random(self.seed_of(go, position))
        moves = rng.sample(position.legal, len(position.legal))
        if "searchmoves" in go:
            unknown = [word for word in go["searchmoves"] if word not in moves]
            if unknown:
                self.error("illegal-move", f"searchmoves: {quoted(' '.join(unknown))}", go_id)
            moves = [word for word in moves if word in go["searchmoves"]] or moves
        wanted = go.get("multipv", 0)
        count = min(len(moves), wanted if wanted > 0 else int(self.options["MultiPV"]))
        wdl = "wdl 300 300 400 " if self.options["UCI_ShowWDL"] == "true" else ""
        lines = [
            f"info depth 1 seldepth 1 multipv {rank} nodes 1 time 0 "
            f"score cp {rng.randrange(100)} {wdl}pv {move}"
            for rank, move in enumerate(moves[:count], 1)
        ]
        return [*lines, self.bestmove(moves[0], "pass", go_id)]

    def seed_of(self, go, position):
        return f"{go.get('seed')} {position.view()}"

    def bestmove(self, move, ponder, go_id):
        line = f"bestmove {move}"
        if ponder and self.options["Ponder"] == "true":
            line += f" ponder {ponder}"
        return f"{line} id {go_id}" if go_id else line
