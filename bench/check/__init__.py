"""A checker for engines: does a command do what protocol/SPEC.md asks for?

`drakkar check CMD` runs numbered steps against an engine process. The steps stand in the modules
that `steps.TOPICS` lists, one module for each topic. They know the protocol and no game: positions
come from the games of the package `engine`, through the referee.
"""
