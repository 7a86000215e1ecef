"""Threads kept from one search to the next; signals and errors that come between."""

import _thread
import itertools
import os
import signal
import subprocess
import sys
import time

import pytest
from searching import HANG_S, decision, position, told

import search
from search import helpers
from search.event import Event

OPTIONS = {"solver": False}


class Threads:
    """The helper threads of one test alone: those of others may end meanwhile."""

    def __init__(self, patch):
        self.begun, self.ended = [], []
        start, serve = helpers.start_new_thread, helpers._serve

        def counted_start(*args):
            number = start(*args)
            self.begun.append(number)
            return number

        def counted_serve(tasks):
            serve(tasks)
            self.ended.append(_thread.get_ident())

        patch.setattr(helpers, "start_new_thread", counted_start)
        patch.setattr(helpers, "_serve", counted_serve)

    @property
    def running(self):
        return len(self.begun) - len(self.ended)

    def all_end(self):
        """Return True once all that were begun have ended."""
        until = time.monotonic() + HANG_S
        while self.running and time.monotonic() < until:
            time.sleep(0.01)
        return sorted(self.ended) == sorted(self.begun)


@pytest.fixture
def helper_threads(monkeypatch):
    return Threads(monkeypatch)


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_threads_are_kept_while_their_searcher_is(helper_threads):
    """As many as were needed at once, and gone with it; a fork takes none along."""
    state, limits = decision(), search.Limits(nodes=100)
    searcher = search.Searcher(threads=3, options=OPTIONS)
    expected = told(searcher.go(state, limits))
    for _ in range(5):
        assert told(searcher.go(state, limits)) == expected
        assert len(helper_threads.begun) == 2
    assert not helper_threads.ended
    child = os.fork()
    if not child:
        signal.alarm(int(HANG_S))
        try:
            os._exit(told(searcher.go(state, limits)) != expected)
        finally:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    del searcher
    assert helper_threads.all_end()


@pytest.mark.parametrize("moment", ["reserve", "start"])
def test_an_interrupted_search_leaves_no_thread(monkeypatch, helper_threads, moment):
    """However it is interrupted: what was just begun in a thread ends with its search."""
    state = decision()
    real = getattr(helpers.Helpers, moment)

    def interrupted(*args):
        real(*args)
        raise KeyboardInterrupt

    searcher = search.Searcher(threads=3, options=OPTIONS)
    for method, args in (
        ("go", (state, search.Limits(infinite=True))),
        ("ponder", (state.view(1 - state.seat_to_move),)),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(helpers.Helpers, moment, interrupted)
            with pytest.raises(KeyboardInterrupt):
                getattr(searcher, method)(*args)
        # The next one does not call it back to life.
        searcher.go(state, search.Limits(nodes=100))
    assert helper_threads.begun
    del searcher
    assert helper_threads.all_end()


def test_an_error_in_a_thread_is_told_and_ends_nothing(capsys):
    """The thread goes on to the next call."""
    one = helpers.Helpers()
    assert one.reserve(1) == 1
    assert one.start(divmod, 1, 0).wait(HANG_S)
    assert one.start(divmod, 1, 1).wait(HANG_S)
    assert "ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.parametrize("available", [0, 1])
def test_a_machine_without_threads_searches_all_the_same(monkeypatch, helper_threads, available):
    """One thread does the work of all, with the same result; or two, if there is one more.

    That one is not kept: the rest of the program needs threads too.
    """
    state = decision()
    limits = search.Limits(nodes=1000)
    expected = told(search.Searcher(threads=3, options=OPTIONS).go(state, limits))
    assert helper_threads.all_end()
    real = helpers.start_new_thread

    def few_left(*args):
        if helper_threads.running == available:
            none_left()
        return real(*args)

    def none_left(*args):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("search.helpers.start_new_thread", few_left)
    monkeypatch.setattr("search.searcher.start_new_thread", none_left)
    searcher = search.Searcher(threads=3, hash_mb=65, options=OPTIONS)
    for _ in range(2):
        begun = len(helper_threads.begun)
        assert told(searcher.go(state, limits)) == expected
        assert len(helper_threads.begun) == begun + available
        assert helper_threads.all_end()
        searcher.new_game()
    result = searcher.go(state, search.Limits(time_ms=30))
    assert result.best_move in state.legal_moves()


def test_an_error_that_cannot_be_told_ends_nothing(monkeypatch):
    """Such as where stderr is closed."""

    def broken(*args):
        raise BrokenPipeError

    one = helpers.Helpers()
    assert one.reserve(1) == 1
    with monkeypatch.context() as patch:
        patch.setattr(sys, "excepthook", broken)
        assert one.start(divmod, 1, 0).wait(HANG_S)
    assert one.start(divmod, 1, 1).wait(HANG_S)


def test_a_flag_goes_up_while_it_goes_up():
    """A signal handler may raise it at any moment of its being raised."""
    lines = []

    def in_between(frame, kind, argument):
        if kind == "line":
            lines.append(frame.f_lineno)
            flag.set()
        return in_between

    def started(frame, kind, argument):
        return in_between if frame.f_code is Event.set.__code__ else None

    flag = Event()
    tracer = sys.gettrace()
    signal.alarm(HANG_S)  # ends the process if it hangs
    sys.settrace(started)
    try:
        flag.set()
    finally:
        sys.settrace(tracer)
        signal.alarm(0)
    assert len(set(lines)) > 1
    assert flag.is_set()
    assert flag.wait()


@pytest.fixture
def alarm():
    """What a signal does that comes in so many seconds: KeyboardInterrupt, as by Ctrl-C."""

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


# A signal in a callback of the garbage collector, such as Hypothesis has, is told by a warning.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_searcher_works_after_any_interruption(kuhn, alarm):
    """Whenever a signal comes, the next search is not told that one is running."""
    state, limits = position(kuhn, 0), search.Limits(nodes=1)
    searcher = search.Searcher("vanilla")
    for trial in range(1500):
        with pytest.raises(KeyboardInterrupt):
            # Anew: what a handler raises is lost where Python cannot raise it, as in a destructor,
            # and then nothing would end this.
            for number in itertools.count():
                if number % 10_000 == 0:
                    alarm((1 + trial % 97) * 2e-6)
                searcher.go(state, limits)
        searcher.go(state, limits)


@pytest.mark.parametrize("info_ms", [50, 1e9])
def test_an_interruption_does_not_wait_for_a_report(alarm, info_ms):
    state, searcher = decision(), search.Searcher(options=OPTIONS)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        alarm(0.1)
        searcher.go(state, search.Limits(time_ms=1000 * HANG_S), info_ms=info_ms)
    assert time.monotonic() - start < HANG_S / 2


def test_a_running_search_is_not_armed_again():
    """Its stop flag stays its own."""
    searcher = search.Searcher(options=OPTIONS)
    refused = []

    def on_info(info):
        with pytest.raises(RuntimeError, match="a search is running"):
            searcher.arm()
        refused.append(info)
        searcher.stop()

    searcher.go(decision(), search.Limits(infinite=True), on_info, info_ms=50)
    assert refused


def test_signals_end_a_process_that_gets_no_thread():
    code = (
        "import os, signal, sys\n"
        "from protocol import signals\n"
        "def none_left(*args):\n"
        "    raise RuntimeError\n"
        "signals.start_new_thread = none_left\n"
        "signals.leave_on_signals()\n"
        "os.kill(os.getpid(), getattr(signal, sys.argv[1]))\n"
        "signal.pause()\n"
    )
    for name in ("SIGINT", "SIGTERM"):
        done = subprocess.run([sys.executable, "-c", code, name], timeout=HANG_S, check=False)
        assert done.returncode == 0
