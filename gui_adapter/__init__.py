"""Messages for a graphical front end: what one seat may see, never a full state.

Lies between `protocol` and `bench`; a front end of its own will fill it.
"""
