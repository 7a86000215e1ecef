"""Lofoten (Sébastien Dujardin, Pearl Games 2022): two seats, the base game and three modules.

Rules, rulings and the functions that carry them out: RULES.md. Cards and tiles: data.toml.
"""

TITLE = "Lofoten"
VERSION = 1
SEATS = 2
