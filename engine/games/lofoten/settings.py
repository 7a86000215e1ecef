"""The settings of Lofoten: one for each place where the rulebooks leave the choice open."""

from engine.settings import Setting

# The hash of data.toml; a test compares the two.
STAND_IN = "5d6306f53378"

# What tests take besides the base game: all modules together.
VARIANTS = ({"level2": "2", "jarls": "on", "upgrades": "on"},)

SETTINGS: tuple[Setting, ...] = (
    Setting("cards", STAND_IN, (), "the card set: the hash of its file", "B1", digits=12),
    Setting("level2", "0", (), "module 1: warehouse cards of level 2", "R55", 0, 4),
    Setting("jarls", "off", ("off", "on"), "module 2: alliances with two Jarls"),
    Setting("upgrades", "off", ("off", "on"), "module 3: longships that can be upgraded"),
    Setting(
        "effects",
        "cards",
        ("cards", "swapped"),
        "middle effects of fish and sheep: as the card set says, or exchanged",
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
    Setting(
        "final-b",
        "all",
        ("all", "one"),
        "final unloading of ship B: all its tiles, or one of the owner's choice",
        "R51",
    ),
    Setting(
        "tie", "none", ("none", "both"), "who scores a tied level-1 warehouse (not 0 to 0)", "R54"
    ),
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
    Setting(
        "turned",
        "everywhere",
        ("everywhere", "scoring"),
        "where a tile turned face down loses value and buckler: everywhere, or only in the scoring",
        "R60",
    ),
    Setting(
        "turn-end",
        "free",
        ("free", "jarl-first"),
        "whether a Jarl may be claimed after the upgrade of the same turn",
        "R62",
    ),
    Setting(
        "ship-c",
        "may",
        ("may", "must"),
        "whether ship C may or must load a tile of another type than its order's",
        "R65",
    ),
    Setting(
        "ship-c-asks",
        "steps",
        ("steps", "uses"),
        "when the owner of ship C is asked: at the turn's start and after steps, or after uses too",
        "R84",
    ),
    Setting(
        "storehouse",
        "always",
        ("always", "with-tile"),
        "whether a storehouse counts where its owner has no tile",
        "R86",
    ),
    Setting(
        "level2-tie",
        "none",
        ("none", "both"),
        "who scores a tied level-2 warehouse (not 0 to 0)",
        "R87",
    ),
    Setting(
        "bucklers",
        "own",
        ("own", "all"),
        "level-2 warehouses look at the bucklers of the player's own tiles, or of all tiles there",
        "R88",
    ),
    Setting("harbour", "must", ("must", "may"), "whether `harbour` has to unload a ship", "R89"),
    Setting(
        "rowers",
        "all",
        ("all", "low"),
        "`rowers`: more moves for all side cards, or not for those of value 3",
        "R90",
    ),
    Setting(
        "traders",
        "after",
        ("after", "before"),
        "`traders` on ship D: added to max(4, N), or to N",
        "R90",
    ),
    Setting(
        "tribute",
        "reserve",
        ("reserve", "coffer"),
        "`tribute`: coins of the reserve only, or of the opponent once it is empty",
        "R90",
    ),
)
