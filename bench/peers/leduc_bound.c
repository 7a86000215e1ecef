/* The speed that plain C reaches: Leduc poker and OpenSpiel's IS-MCTS written for each other, with
   neither a game interface nor a stop flag, a clock, a memory limit or reports.

   leduc_bound SIMULATIONS EXPLORATION SEARCHES prints simulations per second of processor time and bytes per node. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FOLD, CALL, RAISE, MOVES, UNDEALT = -1, DUE = -2, SLOTS = 1024, DEEPEST = 16 };

typedef struct {
    int8_t card[2], shown, seat, round, raises, calls, folded;
    int16_t paid[2], stake;
    uint64_t history;
} State;

typedef struct {
    uint64_t key;               /* 0: empty slot */
    int32_t visits;             /* -1: made, not passed yet */
    int32_t tried[MOVES];
    float reward[MOVES];
} Node;

static uint64_t word = 0x9E3779B97F4A7C15ULL;
static Node table[SLOTS];
static int num_nodes;
static double exploration;

static inline int below(int n) {
    word ^= word << 13;
    word ^= word >> 7;
    word ^= word << 17;
    return (int)(((word >> 32) * (uint64_t)n) >> 32);
}

static inline int is_over(const State *s) { return s->folded >= 0 || s->round == 3; }

static inline int legal(const State *s, int8_t *moves) {
    int n = 0;
    if (s->stake > s->paid[s->seat]) moves[n++] = FOLD;
    moves[n++] = CALL;
    if (s->raises < 2) moves[n++] = RAISE;
    return n;
}

static inline void show(State *s) {
    do s->shown = (int8_t)below(6);
    while (s->shown == s->card[0] || s->shown == s->card[1]);
}

static inline void apply(State *s, int move) {
    s->history = s->history << 2 | (uint64_t)(move + 1);
    if (move == FOLD) {
        s->folded = s->seat;
        return;
    }
    if (move == RAISE) {
        s->stake = (int16_t)(s->stake + (s->round == 1 ? 2 : 4));
        s->raises++;
        s->calls = 0;
    } else {
        s->calls++;
    }
    s->paid[s->seat] = s->stake;
    if (s->calls == 2 || (s->raises && s->calls == 1)) {
        s->round++;
        s->raises = s->calls = s->seat = 0;
        if (s->round == 2) s->shown = DUE;
        return;
    }
    s->seat ^= 1;
}

static inline double chips(const State *s) {
    if (s->folded >= 0) return s->folded ? s->paid[1] : -s->paid[0];
    int rank[2], shown = s->shown >> 1;
    for (int i = 0; i < 2; i++) {
        rank[i] = s->card[i] >> 1;
        if (rank[i] == shown) rank[i] += 10;
    }
    return rank[0] == rank[1] ? 0 : rank[0] > rank[1] ? s->paid[1] : -s->paid[0];
}

static inline uint64_t key_of(const State *s) {
    return s->history << 8 | (uint64_t)(s->shown + 2) << 4 | (uint64_t)s->card[s->seat] << 1
           | (uint64_t)s->seat | 1ULL << 62;
}

static inline Node *find(uint64_t key) {
    uint32_t slot = (uint32_t)((key * 0x9E3779B97F4A7C15ULL) >> 54);
    while (table[slot].key && table[slot].key != key) slot = (slot + 1) & (SLOTS - 1);
    if (!table[slot].key) {
        table[slot].key = key;
        table[slot].visits = -1;
        num_nodes++;
    }
    return &table[slot];
}

static double play_out(State *s) {
    int8_t moves[MOVES];
    while (!is_over(s)) {
        if (s->shown == DUE) {
            show(s);
            continue;
        }
        int n = legal(s, moves);
        apply(s, moves[below(n)]);
    }
    return chips(s);
}

static inline int choose(const Node *node, const int8_t *moves, int n) {
    int untried[MOVES], num_untried = 0, best = moves[0];
    for (int i = 0; i < n; i++)
        if (!node->tried[moves[i]]) untried[num_untried++] = moves[i];
    if (num_untried) return untried[below(num_untried)];
    double log_visits = log(node->visits), highest = -1e18;
    for (int i = 0; i < n; i++) {
        int m = moves[i];
        double value = node->reward[m] / node->tried[m]
                       + exploration * sqrt(log_visits / node->tried[m]);
        if (value > highest) {
            highest = value;
            best = m;
        }
    }
    return best;
}

static void simulate(State *s) {
    Node *path[DEEPEST];
    int8_t taken[DEEPEST], seat[DEEPEST], moves[MOVES];
    int depth = 0;
    double result;
    for (;;) {
        if (is_over(s)) {
            result = chips(s);
            break;
        }
        if (s->shown == DUE) {
            show(s);
            continue;
        }
        int n = legal(s, moves);
        Node *node = find(key_of(s));
        if (node->visits < 0) {
            node->visits = 0;
            result = play_out(s);
            break;
        }
        int move = choose(node, moves, n);
        node->visits++;
        node->tried[move]++;
        path[depth] = node;
        taken[depth] = (int8_t)move;
        seat[depth++] = s->seat;
        apply(s, move);
    }
    for (int i = 0; i < depth; i++)
        path[i]->reward[taken[i]] += (float)(seat[i] ? -result : result);
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    long simulations = atol(argv[1]), searches = atol(argv[3]);
    exploration = atof(argv[2]);
    struct timespec begin, end;
    State root = {{0, UNDEALT}, UNDEALT, 0, 1, 0, 0, -1, {1, 1}, 1, 0};
    double seconds = 0;
    for (long search = 0; search < searches; search++) {
        memset(table, 0, sizeof table);
        num_nodes = 0;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
        for (long i = 0; i < simulations; i++) {
            State s = root;
            s.card[0] = (int8_t)(search % 6);
            do s.card[1] = (int8_t)below(6);
            while (s.card[1] == s.card[0]);
            simulate(&s);
        }
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        seconds += (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    }
    printf("%.0f %zu\n", (double)simulations * (double)searches / seconds, sizeof(Node));
    return 0;
}
