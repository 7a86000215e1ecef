"""The text protocol: UCI syntax, with one seat's view in the place of the chess position.

`protocol.server` is the engine process, `protocol.client` drives one (`help(protocol.client)`).
SPEC.md describes every command and field. Importing this package is cheap: everything loads on
first use.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from protocol import client as client
    from protocol.analysis import Analysis
    from protocol.client import Engine
    from protocol.faults import (
        BadOption,
        BadPosition,
        BadValue,
        EngineBusy,
        EngineDied,
        EngineError,
        EngineProtocolError,
        EngineRefusal,
        EngineTimeout,
        IllegalMove,
        InconsistentView,
        InternalFault,
        NoPosition,
        Unsupported,
    )
    from protocol.replies import Info, Limit, Reply

VERSION = "0.1.0"
"""Version of Drakkar, as the handshake and `drakkar --version` give it."""

_HOMES = {
    "Analysis": "analysis",
    "Engine": "client",
    "Info": "replies",
    "Limit": "replies",
    "Reply": "replies",
}

__all__ = [
    "VERSION",
    "Analysis",
    "BadOption",
    "BadPosition",
    "BadValue",
    "Engine",
    "EngineBusy",
    "EngineDied",
    "EngineError",
    "EngineProtocolError",
    "EngineRefusal",
    "EngineTimeout",
    "IllegalMove",
    "InconsistentView",
    "Info",
    "InternalFault",
    "Limit",
    "NoPosition",
    "Reply",
    "Unsupported",
]


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name in __all__ and name != "VERSION":
        # The other names are those of errors.
        return getattr(import_module(f"protocol.{_HOMES.get(name, 'faults')}"), name)
    if name == "client":
        return import_module("protocol.client")
    raise AttributeError(f"module 'protocol' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
