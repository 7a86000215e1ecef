"""The search over a graph of knowledge in plain Python: slow, short, the same to the last bit."""

import math

import numpy as np

import engine

MASK = 2**64 - 1
STREAM_DETERMINIZE, STREAM_PLAYOUT = 2, 3
BATCH = 32


def mix64(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


class Node:
    """A decision; `edges` has for each move its visits, prior and mean."""

    def __init__(self, seat, is_open):
        self.seat, self.open, self.visits, self.mean, self.edges = seat, is_open, 0, 0.0, {}


class Playouts:
    """Random playouts, uniform or by the prior."""

    def __init__(self, stream, options):
        self.stream, self.options = stream, options

    def play(self, world):
        left = self.options["playout_plies"]
        while not world.is_terminal and (left or world.is_chance):
            if world.is_chance:
                world.apply(world.sample_chance(self.stream))
                continue
            moves = world.legal_moves()
            world.apply(self.choose(world, moves) if len(moves) > 1 else moves[0])
            left -= 1

    def choose(self, world, moves):
        if self.options["playout_policy"] == "uniform":
            return moves[self.stream.below(len(moves))]
        left = (self.stream.bits() >> 11) / 2.0**53
        priors = [p for _, p in world.prior()]
        for move, prior in zip(moves, priors, strict=True):
            left -= prior
            if left < 0.0:
                return move
        return moves[-1]


class PlainPuct:
    """One search from a view; `nodes` in the order in which they were made, by key."""

    def __init__(self, view, seed, options):
        self.view, self.seat, self.options = view, view.observer, options
        name = mix64(seed) ^ view.infoset_key(self.seat)
        self.worlds = engine.RandomStream(name, STREAM_DETERMINIZE)
        self.playouts = Playouts(engine.RandomStream(name, STREAM_PLAYOUT), options)
        self.nodes, self.rewards, self.scale = {}, [], 0.0
        self.root = self.nodes.setdefault(self.key(self.draw()), Node(self.seat, False))
        self.open_up(self.root, view)

    def draw(self):
        return self.view.determinize(self.worlds)

    def key(self, world, turn_ended=False):
        seat, keying = world.seat_to_move, self.options["keying"]
        if keying == "public" and turn_ended:
            return world.public_key()
        if seat == self.seat or keying == "observer":
            return world.infoset_key(self.seat)
        if keying == "public":
            return world.public_key()
        return world.infoset_key(seat)

    def priors(self, world):
        moves, mix = world.legal_moves(), self.options["prior_mix"]
        if len(moves) == 1:
            return {moves[0]: 1.0}
        even, rest = np.float32(mix / len(moves)), np.float32(1.0 - mix)
        priors = [np.float32(p) for _, p in world.prior()]
        return {m: float(even + rest * p) for m, p in zip(moves, priors, strict=True)}

    def open_up(self, node, world):
        for move, prior in self.priors(world).items():
            node.edges[move] = [0, prior, 0.0]

    def score(self, node, edge, visits):
        n, prior, mean = edge
        value = mean if n else node.mean - self.options["first_play"]
        return value + self.scale * math.sqrt(visits + 1.0) * prior / (1.0 + n)

    def choose(self, node, world):
        if not node.edges:
            self.open_up(node, world)
        if node is self.root and len(self.rewards) < len(node.edges):
            return list(node.edges)[len(self.rewards)]
        legal = world.legal_moves() if node.open else sorted(node.edges)
        new = self.priors(world) if node.open else {}
        edges = {m: node.edges.get(m) or [0, new.get(m), 0.0] for m in legal}
        visits = sum(e[0] for e in edges.values()) if node.open else node.visits
        if len(edges) == 1:
            chosen = legal[0]
        else:
            chosen = max(legal, key=lambda m: self.score(node, edges[m], visits))
        node.edges[chosen] = edges[chosen]
        return chosen

    def values(self, world):
        """Play on and return the mean of what all points are worth."""
        points, plies = self.options["valued_points"], self.options["playout_plies"]
        rewards, margins, left = np.float32(0), np.float32(0), points
        while left:
            self.playouts.play(world)
            number = left if world.is_terminal or not plies else 1
            part = np.float32(number) / np.float32(points)
            reward, margin = self.look(world)
            rewards = rewards + part * np.array(reward, np.float32)
            margins = margins + part * np.array(margin, np.float32)
            left -= number
        scale, share = world.game.margin_scale, np.float32(self.options["margin_share"])
        if share:
            clear = 0.5 + 0.5 * margins.astype(float) / (np.abs(margins) + np.float32(scale))
            rewards = ((1 - share) * rewards + float(share) * clear).astype(np.float32)
        return [float(r) for r in rewards]

    def look(self, world):
        if world.is_terminal:
            return world.returns(), world.margins()
        if self.options["leaf"] == "margin":
            margins, scale = world.margins(), world.game.margin_scale
            return [0.5 + 0.5 * m / (abs(m) + scale) for m in margins], margins
        return world.estimate()

    def simulate(self):
        done = len(self.rewards)
        if done < len(self.root.edges) or done % BATCH == 0:
            spread = 0.25
            if done >= BATCH:
                mean = sum(self.rewards) / done
                square = 0.0
                for r in self.rewards:
                    square += r * r
                spread = math.sqrt(max(square / done - mean * mean, 1e-6))
            self.scale = self.options["exploration"] * spread
        world, node, path, last, ended = self.draw(), self.root, [], None, False
        while True:
            move = self.choose(node, world)
            path.append((node, node.edges[move]))
            world.apply(move)
            while world.is_chance:
                world.apply(world.sample_chance(self.worlds))
            if world.is_terminal:
                break
            seat = world.seat_to_move
            ended = ended or seat != self.seat
            key = self.key(world, ended)
            is_new = key not in self.nodes
            if is_new:
                hides = {"observer": seat != self.seat, "public": ended}
                self.nodes[key] = Node(seat, hides.get(self.options["keying"], False))
            last = node = self.nodes[key]
            if is_new:
                break
        rewards = self.values(world)
        if last is not None and last.visits == 0:
            last.mean = rewards[last.seat]
        self.rewards.append(rewards[self.seat])
        self.book(path, rewards)

    def book(self, path, rewards):
        for node, edge in path:
            got = rewards[node.seat]
            node.visits += 1
            node.mean += (got - node.mean) / node.visits
            edge[0] += 1
            edge[2] += (got - edge[2]) / edge[0]
