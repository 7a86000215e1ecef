"""Weights of the evaluation and of the move priors, by number. Their names: weights.py.

The weights of the evaluation depend on how far the game is. They are given at four moments and
blended between the first three by the number of tiles left in the piles:

    MOMENT_START     27 tiles, all that are left after the set-up
    MOMENT_MIDDLE    12 tiles
    MOMENT_LATE      none
    MOMENT_LAST      the end of the game is triggered
"""

cdef enum:
    MOMENT_START = 0
    MOMENT_MIDDLE = 1
    MOMENT_LATE = 2
    MOMENT_LAST = 3
    NUM_MOMENTS = 4
    START_TILES = 27
    MIDDLE_TILES = 12
    NUM_ROWS = 34            # 0..32 tiles left, then ROW_LAST
    ROW_LAST = 33

# Of the evaluation.
cdef enum:
    # In merchandise: what counts as good as stored.
    W_LOADED_SIDE = 0        # one merchandise on a ship a quarter turn from the dock
    W_LOADED_MARKET = 1      # ... facing the market
    W_NEAR = 2               # six: what a waiting ship can load so many steps away, 5 and more last
    W_WAIT = 8               # the first waiting ship of a type of which there are tiles to come
    W_WAIT_MORE = 9          # each further one
    # Square of the lead that is worth half of what is at stake, in merchandise.
    W_SPREAD = 10
    W_SPREAD_COME = 11       # for each tile of the type to come
    W_SPREAD_SHIPS = 12      # for each ship of both seats that waits or is loaded with the type
    # In points.
    W_CONTEST = 13           # scale of the warehouses of level 1
    W_TEMPO = 14             # it is a seat's turn, or the next one is
    W_NOW_UNLOAD = 15        # the best that the seat can unload in that turn
    W_NOW_LOAD = 16
    W_NEXT_UNLOAD = 17       # the same of the other seat in the turn after it
    W_NEXT_LOAD = 18
    W_COIN = 19
    W_COIN_THREE = 20        # having the price of an additional turn
    W_EXTRA = 21             # an additional turn paid for
    W_ORDERS = 22            # ships with an order
    W_DOCK = 23              # the docked ship has none
    W_MOVES = 24             # moves of the outer cards in hand
    W_HAND = 25              # points that the orders in hand can gain
    W_USES = 26              # four: uses of the cards in hand, by effect
    W_BEST = 30              # the most that one loaded ship gains
    W_LEVEL2 = 31            # sixteen: scale of warehouses of level 2, by scoring
    W_SHIPS = 47             # points of upgraded longships
    W_PLAIN = 48             # upgrades that can still be paid for
    W_SHIP_B = 49
    W_SHIP_C = 50
    W_SHIP_D = 51
    W_CAN_CLAIM = 52         # a Jarl can be claimed now
    W_JARL = 53              # points of the Jarl claimed
    W_OWNED = 54             # sixteen: a Jarl claimed, by ability
    # Points ahead at which a win is 85 % sure; see estimate.pxd.
    W_CLEAR = 70
    NUM_WEIGHTS = 71

# Of the priors: what each adds to the logarithm of a move's share.
cdef enum:
    P_SIDE = 0               # play a side card
    P_SIDE_UNLOAD = 1        # ... for each point that it can unload
    P_SIDE_LOAD = 2
    P_SIDE_MOVES = 3         # ... for each of its moves
    P_SIDE_ORDER = 4         # ... for what it would be worth as an order
    P_MID = 5                # play the middle card
    P_MID_ORDER = 6
    P_MID_UNLOAD = 7
    P_MID_LOAD = 8
    P_MID_USES = 9           # four: for each use, by effect
    P_REDRAW = 13
    P_REDRAW_GAIN = 14       # for each point that the hand can gain
    P_EXTRA = 15
    P_EXTRA_GAIN = 16
    P_EXTRA_END = 17         # at the end of the turn
    P_TURN = 18              # a quarter turn
    P_MOVE = 19              # to the next area
    P_STEP_UNLOAD = 20       # for each point that the step unloads
    P_STEP_LOAD = 21
    P_STEP_LATER = 22        # for each point that can follow in this turn
    P_STEP_NEXT = 23         # for each point that the outer cards can gain in the next one
    P_PAY = 24               # the step costs a coin
    P_STOP = 25
    P_STOP_LATER = 26        # for each point that is given up
    P_STOP_NEXT = 27
    P_TAKE = 28
    P_DISCARD = 29
    P_DISCARD_MINE = 30      # for each point that the tile is worth to the seat
    P_DISCARD_OTHERS = 31
    P_PUT = 32               # for each point that the outer cards can gain then
    P_PUT_MID = 33           # for what the middle card is worth as an order then
    P_PUT_MOVES = 34         # for each move of the outer cards
    P_PILE_MINE = 35
    P_PILE_OTHERS = 36
    P_PLACE_MINE = 37
    P_PLACE_OTHERS = 38
    P_STORE = 39             # for each point of the warehouse
    P_END = 40
    P_CLAIM = 41
    P_FACEDOWN = 42
    P_FACEDOWN_LOSS = 43     # for each point that turning the tile costs
    P_UPGRADE = 44           # four: by ship
    P_LOAD = 48
    P_ATTACH = 49            # for each point of one merchandise there
    P_UNLOAD = 50            # for each point that is unloaded
    P_KEEP = 51
    P_PILE = 52              # choose a pile, rather than coins
    P_STEP_STAY = 53         # a middle card's step (against stopping)
    NUM_PRIORS = 54

cdef struct Weights:
    double moments[4][71]    # NUM_MOMENTS x NUM_WEIGHTS, as given
    double rows[34][71]      # NUM_ROWS x NUM_WEIGHTS, blended by tiles left
    double priors[54]        # NUM_PRIORS


# The row of weights for so many tiles left in the piles.
cdef inline int row_of(int tiles, bint triggered) noexcept nogil:
    return ROW_LAST if triggered else tiles


cdef inline void blend(Weights* weights) noexcept nogil:
    """Fill `rows` from `moments`."""
    cdef int tiles, i, early, late
    cdef double share
    for tiles in range(NUM_ROWS):
        if tiles == ROW_LAST:
            early = late = MOMENT_LAST
            share = 0.0
        elif tiles >= MIDDLE_TILES:
            early, late = MOMENT_START, MOMENT_MIDDLE
            share = (<double>tiles - MIDDLE_TILES) / (START_TILES - MIDDLE_TILES)
        else:
            early, late = MOMENT_MIDDLE, MOMENT_LATE
            share = <double>tiles / MIDDLE_TILES
        share = share if share < 1.0 else 1.0
        for i in range(NUM_WEIGHTS):
            weights.rows[tiles][i] = (share * weights.moments[early][i]
                                      + (1.0 - share) * weights.moments[late][i])


cdef inline int fill_weights(Weights* weights, list values) except -1:
    """Take a set as one list: see weights.py. ValueError if it has not the right length."""
    cdef int i
    if len(values) != NUM_MOMENTS * NUM_WEIGHTS + NUM_PRIORS:
        raise ValueError(f"{len(values)} weights, not {NUM_MOMENTS * NUM_WEIGHTS + NUM_PRIORS}")
    for i in range(NUM_MOMENTS * NUM_WEIGHTS):
        weights.moments[i // NUM_WEIGHTS][i % NUM_WEIGHTS] = values[i]
    for i in range(NUM_PRIORS):
        weights.priors[i] = values[NUM_MOMENTS * NUM_WEIGHTS + i]
    blend(weights)
    return 0
