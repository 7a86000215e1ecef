"""The figures of ideas: whether the search is stronger with them, see bench.ideas."""

from functools import partial

from bench.ideas.catalogue import IDEAS
from bench.ideas.trial import trial
from bench.registry import register

for _idea in IDEAS.values():
    register(f"idea-{_idea.name}", _idea.what, partial(trial, idea=_idea))
