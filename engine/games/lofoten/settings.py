"""The settings of Lofoten: one for each place where the rulebooks leave the choice open."""

from engine.settings import Setting

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "effects",
        "fish-rotates",
        ("fish-rotates", "sheep-rotates"),
        "which middle card rotates the fleet; the other one moves it along the market",
        "B1",
    ),
    Setting(
        "first-tiles",
        "alternate",
        ("alternate", "pile1"),
        "which piles the first five market tiles come from: by turns, or all from pile 1",
        "R2",
    ),
    Setting(
        "first-market",
        "redeal",
        ("redeal", "play"),
        "four alike in the first market: deal anew, or seat 1 discards two and refills",
        "R3",
    ),
    Setting(
        "start-orders",
        "drawn",
        ("drawn", "choose"),
        "first start order goes left, or its owner chooses the side",
        "R5",
    ),
    Setting(
        "count",
        "fixed",
        ("fixed", "live"),
        "uses of a middle card: counted when it is placed, or anew at each use",
        "R18",
    ),
    Setting(
        "late-moves",
        "action",
        ("action", "turn"),
        "coins buy extra moves only in the action phase, or also later in the turn",
        "R27",
    ),
    Setting(
        "four-short",
        "discard",
        ("discard", "keep"),
        "four alike that the piles cannot replace: discarded, or kept",
        "R41",
    ),
    Setting(
        "late-extra",
        "on",
        ("on", "off"),
        "whether extra turns may be bought once the end is triggered",
        "R48",
    ),
    Setting("tie", "none", ("none", "both"), "who scores a tied warehouse (not 0 to 0)", "R54"),
    Setting(
        "stall",
        "60",
        ("off",),
        "turns in a row without a tile leaving the market after which the end is triggered",
        "R70",
        1,
        250,
    ),
    Setting(
        "coin-offers",
        "fewest",
        ("fewest", "any"),
        "offer coins where the moment can matter, or at every decision of the turn",
        "R71",
    ),
    Setting(
        "last-extra",
        "on",
        ("on", "off"),
        "whether an extra turn may be bought in the turn after which the game ends",
        "R74",
    ),
    Setting("first-clan", "1", ("1", "2"), "the clan of the first player", "R79"),
)
