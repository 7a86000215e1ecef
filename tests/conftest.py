"""Refuses a stale build, registers hypothesis profiles, gives tests the games."""

import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

import engine
import stale

if TYPE_CHECKING:
    from talking import Talk

settings.register_profile("dev", deadline=None, max_examples=50)
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_configure(config: pytest.Config) -> None:
    """Stop before the first test where a compiled module does not fit its sources."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell starts background jobs so; the engines that tests start would inherit it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    old = stale.stale_modules()
    if old:
        reasons = "\n".join(f"  {name}: {reason}" for name, reason in old.items())
        raise pytest.UsageError(f"the build is stale, run `make build`:\n{reasons}")


@pytest.fixture(params=engine.available())
def game(request: pytest.FixtureRequest) -> "engine.Game":
    """Each game in turn, with its default settings."""
    return engine.load(request.param)


@pytest.fixture
def kuhn() -> "engine.Game":
    """Kuhn poker."""
    return engine.load("kuhn")


@pytest.fixture
def talk() -> "Iterator[Talk]":
    """The engine inside this process, told to play Kuhn poker."""
    from talking import Talk

    talk = Talk()
    yield talk
    talk.close()
