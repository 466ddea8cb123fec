"""The errors of the package: each a `ValueError` that says what was expected, what was given and where."""


class OanquanError(ValueError):
    """The common base: `except OanquanError` catches whatever this package raises about its input.

    >>> import oanquan as oaq
    >>> try:
    ...     oaq.Move("a9+")
    ... except oaq.OanquanError as error:
    ...     print(type(error).__name__, error.args[0])
    NotationError expected a square from 1 to 7 at column 2, got "9" in "a9+"
    """

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class RulesError(OanquanError):
    """Rules that cannot be built.

    `faults` holds every fault, one string each; the message is all of them joined by `"; "`.

    >>> str(RulesError("first fault; second fault", ("first fault", "second fault")))
    'first fault; second fault'
    """

    def __init__(self, message: str, faults: tuple[str, ...]) -> None:
        super().__init__(message, faults)
        self.faults = faults


class PositionError(OanquanError):
    """A board that no position can have.

    `faults` holds every fault, one string each; the message is all of them joined by `"; "`.

    >>> PositionError("first fault; second fault", ("first fault", "second fault")).faults
    ('first fault', 'second fault')
    """

    def __init__(self, message: str, faults: tuple[str, ...]) -> None:
        super().__init__(message, faults)
        self.faults = faults


class NotationError(OanquanError):
    """A text that cannot be read.

    `text` is the whole text, `column` the place of the fault: the first character is column 1, the end of the
    text one more than its length.

    >>> error = NotationError('expected "+" or "-" at column 3, got the end in "a3"', 3, "a3")
    >>> error.text[: error.column - 1]
    'a3'
    """

    def __init__(self, message: str, column: int, text: str) -> None:
        super().__init__(message, column, text)
        self.column = column
        self.text = text


class RecordError(NotationError):
    """Something among the records of a file that is no record of a game.

    `line` and `column` are where it is wrong, both from 1, and `text` is what stands before in that line, from where
    the record begins. `file` is the name of the file, if it has one; `game` the number of what should have been a
    record, from 1, and `offset` the byte at which that begins, from 0.

    >>> import io
    >>> import oanquan as oaq
    >>> try:
    ...     list(oaq.records.read(io.BytesIO(b"1. a1+ * 1. a1+ b1+ *")))
    ... except RecordError as error:
    ...     print(error.line, error.column, error.game, error.offset)
    1 17 2 9
    """

    def __init__(
        self, message: str, column: int, text: str, line: int, game: int, offset: int, file: str | None = None
    ) -> None:
        super().__init__(message, column, text)
        self.args = (message, column, text, line, game, offset, file)
        self.line = line
        self.game = game
        self.offset = offset
        self.file = file

    def named(self, file: str | None) -> "RecordError":
        """Return the same error with that name of the file.

        >>> str(RecordError("expected a move", 5, "1. ", 3, 1, 0).named("games.records"))
        'games.records:3:5: expected a move'
        """
        return RecordError(self.args[0], self.column, self.text, self.line, self.game, self.offset, file)

    def __str__(self) -> str:
        return f"{self.file or 'game records'}:{self.line}:{self.column}: {self.args[0]}"


class IllegalMoveError(OanquanError):
    """A move that the rules do not allow where it was tried.

    `move` and `position` are the two as text; the message adds the reason and the moves that are legal.

    >>> error = IllegalMoveError("illegal move a1+: square a1 is empty (...)", "a1+", "0.2.0/2.2.0 0/0 - a 4")
    >>> error.move, error.position
    ('a1+', '0.2.0/2.2.0 0/0 - a 4')
    """

    def __init__(self, message: str, move: str, position: str) -> None:
        super().__init__(message, move, position)
        self.move = move
        self.position = position


class CertificateError(OanquanError):
    """A file that is no certificate, or a certificate that does not prove what it claims.

    >>> raise CertificateError("expected more bytes, got the end of the file: it was cut")
    Traceback (most recent call last):
    oanquan.errors.CertificateError: expected more bytes, got the end of the file: it was cut
    """
