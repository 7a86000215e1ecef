"""The fuzzer in small: the engine stands it, and engines with a fault planted are caught."""

import json
import sys

import pytest

from bench.measure import fuzz, fuzz_engine, fuzz_lines, fuzz_mix
from stale import ROOT

# Our engine with one fault; what triggers it is common enough to come soon.
FAULTY = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from protocol import server
fault, handle, kept = sys.argv[2], server.Server.handle, []
def handle_with_fault(self, line):
    words = line.split()
    if words[:2] == ["query", "hash"]:
        if fault == "hangs":
            time.sleep(600)
        elif fault == "dies":
            os._exit(0)
        elif fault == "crashes":
            os.abort()
        elif fault == "complains":
            print("Traceback (most recent call last):", file=sys.stderr, flush=True)
        elif fault == "prints":
            self.writer.write("Traceback (most recent call last):")
        elif fault == "escapes":
            self.writer.write("info string \\x1b[2J")
        elif fault == "mumbles":
            os.write(self.writer._fd, b"info string \\xff\\n")
        elif fault == "floods":
            self.writer.write("info string " + "x" * 5000)
        elif fault == "is silent":
            return True
        elif fault == "fails":
            raise_internal(self)
        elif fault == "keeps memory":
            kept.append(os.urandom(1 << 20))
    if words[:1] == ["go"] and fault == "answers twice":
        self.writer.write("bestmove 0000")
    if words[:1] == ["go"] and fault == "forgets":
        return True
    return handle(self, line)
def raise_internal(self):
    self._error("internal", "ValueError: planted")
server.Server.handle = handle_with_fault
code = server.run()
sys.exit(3 if fault == "ends badly" else code)
"""
CAUGHT = {
    "hangs": "hang",
    "dies": "exit",
    "crashes": "exit",
    "complains": "stderr",
    "prints": "output",
    "escapes": "output",
    "mumbles": "output",
    "floods": "output",
    "is silent": "count",
    "fails": "internal",
    "keeps memory": "memory",
    "answers twice": "count",
    "forgets": "count",
    "ends badly": "end",
}


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """On a machine that does other things besides, an answer may take longer."""
    monkeypatch.setattr(fuzz, "HANG_S", 10.0)
    monkeypatch.setattr(fuzz_engine, "CLOSED_S", 10.0)


@pytest.mark.slow
def test_the_engine_stands_it():
    out = {}
    fuzz.fuzz(out, lines=15_000, seed=1)
    assert out["faults"] == 0, json.dumps(out["found"], indent=1)
    assert out["lines"] >= 15_000
    assert out["gos"] >= out["lines"] / 52
    assert out["lines_per_s"] > 1000
    assert out["growth_mb"] < fuzz.GROWTH_MB


@pytest.mark.slow
@pytest.mark.parametrize("fault", CAUGHT)
def test_a_planted_fault_is_caught(fault, tmp_path, monkeypatch):
    script = tmp_path / "faulty.py"
    script.write_text(FAULTY)
    monkeypatch.setattr(fuzz, "HANG_S", 1.0)
    monkeypatch.setattr(fuzz, "MOST_FAULTS", 1)
    monkeypatch.setattr(fuzz, "MINIMISE_S", 0.0 if fault == "hangs" else 0.5)
    out = {}
    lines = 4000 if fault == "keeps memory" else 2000
    fuzz.fuzz(out, lines, seed=1, argv=[sys.executable, str(script), str(ROOT), fault])
    (found,) = out["found"]
    assert out["faults"] == 1 and found["kind"] == CAUGHT[fault], found
    if fault not in ("keeps memory", "ends badly"):
        word = "go" if CAUGHT[fault] == "count" and fault != "is silent" else "query hash"
        assert found["repeated"] and any(word in line for line in found["lines"])


def test_the_same_seed_sends_the_same_bytes():
    def sent(seed, batches=30):
        mixer = fuzz_mix.Mixer(seed, fuzz_lines.read_corpus())
        return [mixer.batch().packets for _ in range(batches)]

    assert sent(1) == sent(1)
    assert sent(1) != sent(2)


def test_what_is_sent():
    mixer = fuzz_mix.Mixer(1, fuzz_lines.read_corpus())
    batches = [mixer.batch() for _ in range(100)]
    data = b"".join(packet for batch in batches for packet in batch.packets)
    lines = data.split(b"\n")
    commands = [fuzz_lines.command_of(line)[0] for line in lines]
    assert b"quit" not in commands
    assert commands.count(b"go") == pytest.approx(mixer.lines / 50, rel=0.05)
    assert set(commands) >= {*fuzz_lines.COMMANDS, *fuzz_lines.PEOPLE, b""} - {b"quit"}
    assert max(map(len, lines)) >= 300_000
    assert max(len(mixer.big()) for _ in range(50)) > fuzz_lines.MAX_LINE
    assert any(line.endswith(b"\r") for line in lines) and b"\xff" in data and b"\0" in data
    assert min(len(packet) for batch in batches for packet in batch.packets) == 1


def test_what_a_line_asks_for():
    for line, command in [
        (b"go nodes 5", b"go"),
        (b"\tjoho \r quit", b"quit"),
        (b"d go", b"d"),
        (b"xyzzy d", b""),
        (b"go\x0b", b""),
        (b"", b""),
        (b"x" * (fuzz_lines.MAX_LINE - 8) + b" isready", b"isready"),
        (b"x" * (fuzz_lines.MAX_LINE - 8) + b" isready\r", b"isready"),
        (b"x" * (fuzz_lines.MAX_LINE - 7) + b" isready", b""),
    ]:
        assert fuzz_lines.command_of(line)[0] == command, line[:50]
    assert fuzz_lines.unescaped("# no\n\\x23 yes\\x00\\x5c\n") == [b"# yes\0\\"]


def test_the_command_line(capsys, monkeypatch):
    monkeypatch.setattr(fuzz, "fuzz", lambda out, *rest: out.update(faults=0, found=[]))
    assert fuzz.main(["--lines", "10"]) == 0
    found = [{"kind": "exit", "text": "why", "repeated": True, "lines": ["go", "\\x00"]}]
    monkeypatch.setattr(fuzz, "fuzz", lambda out, *rest: out.update(faults=1, found=found))
    assert fuzz.main(["--seconds", "1", "--seed", "7"]) == 1
    assert "# exit: why\ngo\n\\x00\n" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        fuzz.main([])
