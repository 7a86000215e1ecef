"""The settings of Oh Hell: the table, the deck, the number of tricks and the scoring."""

from engine.settings import Setting

# What tests take besides the defaults: a full table with penalties, and a deck that is so small
# that with three tricks no card is left over.
VARIANTS = (
    {
        "seats": "4",
        "suits": "4",
        "cards-per-suit": "13",
        "tricks": "random",
        "off-bid-penalty": "on",
    },
    {"seats": "3", "suits": "2", "cards-per-suit": "5", "tricks": "random"},
)

SETTINGS: tuple[Setting, ...] = (
    Setting("seats", "3", (), "how many play", "1", 3, 4),
    Setting(
        "suits",
        "4",
        ("1", "2", "3", "4"),
        "suits of the deck, from clubs, diamonds, spades, hearts",
        "2",
    ),
    Setting(
        "cards-per-suit",
        "13",
        tuple(str(number) for number in range(2, 14)),
        "ranks of the deck, from the two upwards",
        "2",
    ),
    Setting(
        "tricks",
        "random",
        ("random",),
        "tricks of a game: chosen by lot, or this number",
        "3",
        1,
        17,
    ),
    Setting(
        "off-bid-penalty",
        "off",
        ("off", "on"),
        "whether a missed bid costs points for each trick it is off, instead of giving some",
        "12",
    ),
    Setting("points-per-trick", "1", (), "points for each trick", "11", 0, 100),
)
