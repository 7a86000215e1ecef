"""Leduc poker has no settings."""

from engine.settings import Setting

SETTINGS: tuple[Setting, ...] = ()
