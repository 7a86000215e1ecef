"""Referee, matches, records and measurements. Knows protocol, search and engine; none knows it.

Importing this package loads nothing; each module is imported by who needs it.
"""
