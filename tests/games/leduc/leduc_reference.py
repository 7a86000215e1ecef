"""Leduc poker once more, slow and plain: chips are counted, nothing is looked up in tables."""

LUCK, OVER = "luck", "over"
DECK = ("SJ", "HJ", "SQ", "HQ", "SK", "HK")


class Reference:
    """A game as the list of its event tokens; everything else is worked out from them."""

    def __init__(self, events=()):
        self.events = list(events)

    def _played(self):
        """Return the table after all events."""
        table = {"hands": [], "public": None, "chips": [1, 1], "folded": None, "done": False}
        table |= {"seat": 0, "raises": 0, "acted": 0}
        for token in self.events:
            word = token.partition("=")[2]
            if token.startswith("~deal"):
                table["hands"].append(word)
            elif token.startswith("~public"):
                table |= {"public": word, "seat": 0, "raises": 0, "acted": 0}
            else:
                self._decide(table, token.partition(":")[2])
        return table

    def _decide(self, table, word):
        seat, chips = table["seat"], table["chips"]
        table["acted"] += 1
        if word == "fold":
            table |= {"folded": seat, "done": True}
            return
        chips[seat] = max(chips)
        if word == "raise":
            chips[seat] += 4 if table["public"] else 2
            table["raises"] += 1
        table["seat"] = 1 - seat
        if word == "call" and table["acted"] > 1:
            table["seat"] = LUCK
            table["done"] = table["public"] is not None

    def to_move(self):
        """Return a seat, LUCK or OVER."""
        table = self._played()
        if table["done"]:
            return OVER
        return LUCK if len(table["hands"]) < 2 else table["seat"]

    def legal(self):
        """Return the tokens of all moves or outcomes."""
        table, turn = self._played(), self.to_move()
        if turn == OVER:
            return []
        if turn == LUCK:
            what = "~public" if len(table["hands"]) == 2 else f"~deal@p{len(table['hands']) + 1}"
            return [f"{what}={card}" for card in DECK if card not in table["hands"]]
        chips = table["chips"]
        words = ["fold"] if chips[1 - turn] > chips[turn] else []
        words += ["call"] + (["raise"] if table["raises"] < 2 else [])
        return [f"p{turn + 1}:{word}" for word in words]

    def won(self):
        """Return the chips that seat 1 has won, 0 before the end."""
        table = self._played()
        if not table["done"]:
            return 0
        if table["folded"] is not None:
            return -table["chips"][0] if table["folded"] == 0 else table["chips"][1]
        one, two = (
            (card[1] == table["public"][1], "JQK".index(card[1])) for card in table["hands"]
        )
        return 0 if one == two else table["chips"][0] * (1 if one > two else -1)

    def known(self, seat):
        """Return what a seat knows: all tokens, the card of the other seat left out."""
        other = f"~deal@p{2 - seat}="
        return tuple(other if token.startswith(other) else token for token in self.events)

    def chips(self):
        """Return what each seat has put in."""
        return self._played()["chips"]
