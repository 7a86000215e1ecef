"""The text protocol: UCI syntax, with one seat's view in the place of the chess position.

`protocol.server` is the engine process, `protocol.client` drives one. SPEC.md describes every
command and field. Importing this package is cheap: everything loads on first use.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from protocol.client import Engine, EngineDied, EngineError, EngineProtocolError, EngineTimeout

VERSION = "0.1.0"
"""Version of Drakkar, as the handshake and `drakkar --version` give it."""

__all__ = ["VERSION", "Engine", "EngineDied", "EngineError", "EngineProtocolError", "EngineTimeout"]


def __getattr__(name: str) -> "Any":
    if name in __all__ and name != "VERSION":
        import protocol.client

        return getattr(protocol.client, name)
    raise AttributeError(f"module 'protocol' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
