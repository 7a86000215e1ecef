"""The rules of Kuhn poker."""


cdef int legal_moves(const KuhnState* s, move_t* out) noexcept nogil:
    cdef int seat, card, n = 0
    if seat_to_move(s) == SEAT_NONE:
        return 0
    if seat_to_move(s) == SEAT_CHANCE:
        seat = 0 if s.card[0] == CARD_NONE else 1
        for card in range(3):
            if seat == 0 or s.card[0] != card:
                out[n] = make_move(KIND_DEAL, seat, card)
                n += 1
        return n
    out[0] = make_move(KIND_PASS, 0, 0)
    out[1] = make_move(KIND_BET, 0, 0)
    return 2


cdef void apply(KuhnState* s, move_t move) noexcept nogil:
    if move_kind(move) == KIND_DEAL:
        s.card[move_seat(move)] = move_card(move)
        return
    if move_kind(move) == KIND_BET:
        s.bets |= 1 << s.num_actions
    s.num_actions += 1


cdef int margin(const KuhnState* s) noexcept nogil:
    """Chips that seat 1 (index 0) is ahead, -2..2; 0 while the game goes on."""
    cdef int stake, last_bet
    if not is_over(s):
        return 0
    last_bet = (s.bets >> (s.num_actions - 1)) & 1
    if s.bets and not last_bet:
        # A bet was answered by a pass: the seat that passed loses its ante.
        return 1 if (s.num_actions - 1) & 1 else -1
    stake = 2 if s.bets else 1
    return stake if s.card[0] > s.card[1] else -stake


cdef int check(const KuhnState* s) noexcept nogil:
    """Bit 1: two cards alike. Bit 2: impossible actions. Bit 4: a card out of range."""
    cdef int broken = 0
    if s.card[0] == s.card[1] and s.card[0] < CARD_UNKNOWN:
        broken |= 1
    if s.num_actions > 3 or s.bets >> s.num_actions or (s.num_actions == 3 and s.bets & 3 != 2):
        broken |= 2
    if s.card[0] > CARD_NONE or s.card[1] > CARD_NONE:
        broken |= 4
    return broken
