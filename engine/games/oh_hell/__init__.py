"""Oh Hell: three or four seats bid how many tricks they will take, and play for exactly that.

Rules and options are those of `oh_hell` of OpenSpiel, so that both can be compared: RULES.md.
"""

TITLE = "Oh Hell"
VERSION = 1
SEATS = 3  # by default; the setting `seats` has them all
