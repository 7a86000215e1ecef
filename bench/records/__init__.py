"""Records of runs and their journals: finished games as lines of text that can be replayed.

RECORDS.md, one folder up, describes the format. `head` makes and reads the first line, `lines` and
`packed` the rest, `fields` and `replay` check it, `reader` finds the games that count, `writer`
writes them as they are counted, `convert` selects and converts, `recount` counts.
"""

from bench.records.head import difference, journal_head, record_head
from bench.records.lines import BadRecord, Torn, read_lines, to_line
from bench.records.reader import Record, RecordedGame
from bench.records.replay import NO_MOVE
from bench.records.writer import Writer, canonical, open_record

__all__ = [
    "NO_MOVE",
    "BadRecord",
    "Record",
    "RecordedGame",
    "Torn",
    "Writer",
    "canonical",
    "difference",
    "journal_head",
    "open_record",
    "read_lines",
    "record_head",
    "to_line",
]
