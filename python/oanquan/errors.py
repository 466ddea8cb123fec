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
