"""Records as MessagePack: the same objects as the lines, one map after another, nothing between."""

from collections.abc import Iterator
from typing import Any

from bench.records.lines import LINE_MAX, BadRecord, Fields, Line, Source, Torn


def pack(value: Fields) -> bytes:
    """Return the MessagePack map of an object of a record.

    Raises ValueError, TypeError or OverflowError for what MessagePack cannot hold.
    """
    import msgpack  # type: ignore[import-untyped]

    packed: bytes = msgpack.packb(value)
    return packed


class PackedSource(Source):
    """The objects of a MessagePack file, in order or by their offset."""

    unit = "object"

    def __iter__(self) -> Iterator[Line]:
        number = offset = 0
        try:
            with self.path.open("rb") as file:
                unpacker = _unpacker(file)
                while (fields := self._next(unpacker, number + 1, offset)) is not None:
                    number += 1
                    end = unpacker.tell()
                    yield Line(fields, number, offset, end)
                    offset = end
                if file.seek(0, 2) > offset:
                    raise Torn(f"{self.where(number + 1)}: the object has no end", offset)
        except OSError as error:
            raise BadRecord(f"{self.path}: {error.strerror}") from None

    def read(self, number: int, offset: int) -> Fields:
        """Return the object that begins at an offset."""
        try:
            with self.path.open("rb") as file:
                file.seek(offset)
                fields = self._next(_unpacker(file), number, offset)
        except OSError as error:
            raise BadRecord(f"{self.path}: {error.strerror}") from None
        if fields is None:
            raise Torn(f"{self.where(number)}: the object has no end", offset)
        return fields

    def _next(self, unpacker: Any, number: int, offset: int) -> Fields | None:
        """Return the next object; None where the file holds no whole one any more."""
        import msgpack

        where = self.where(number)
        try:
            fields = unpacker.unpack()
        except msgpack.OutOfData:
            return None
        except (ValueError, msgpack.UnpackException) as error:
            raise BadRecord(f"{where}: no MessagePack: {error or 'bad format'}") from None
        if not isinstance(fields, dict):
            raise BadRecord(f"{where}: a map is expected")
        return fields


def _unpacker(file: Any) -> Any:
    import msgpack

    return msgpack.Unpacker(file, max_buffer_size=LINE_MAX, read_size=1 << 16)


__all__ = ["PackedSource", "pack"]
