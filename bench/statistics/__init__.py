"""Statistics of matches and pools: strength, how surely, and when to stop.

The unit is the *block*: the games of one deal with rotated seats, two for two seats. The games of a
block depend on each other, so nothing here takes games for independent; errors are taken over
block scores, the mean result of a side over its games of the block, from 0 to 1.
"""
