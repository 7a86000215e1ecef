"""Engines that speak the protocol without using a line of Drakkar; see README.md here."""
