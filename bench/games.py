"""Find a game by a text with its settings."""

from engine import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engine.game import Game


def parse_game(text: str, cards: tuple[str, str] | None = None) -> "Game":
    """Return the game of `name key=value ...` or of an identity such as `lofoten/1 stall=40`.

    `cards` is what `engine.read_cards` returned of the card file to play with. Raises an
    EngineError (unknown game, bad setting) or ValueError on other text.
    """
    words = text.split()
    if not words:
        raise ValueError("say which game")
    name, _, version = words[0].partition("/")
    settings = {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"{word!r} should be setting=value")
        if key in settings:
            raise ValueError(f"setting {key} is given twice")
        settings[key] = value
    if cards is not None:
        card_game, digits = cards
        if card_game != name:
            raise ValueError(f"the card file is for {card_game}, not for {name}")
        if settings.setdefault("cards", digits) != digits:
            raise ValueError(f"cards={settings['cards']}, but the card file has {digits}")
    game = load(name, **settings)
    if version and version != str(game.version):
        raise ValueError(f"{words[0]}: this is version {game.version} of {name}")
    return game
