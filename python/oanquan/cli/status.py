"""How a command ends: exit codes, and the error that ends it with one line."""

DONE = 0
NOT_WRITTEN = 1
"""The output could not be written; quiet if its reader went away."""
FAULTY = 1
"""What was to be checked is not as it should be; standard output says where."""
BAD_ARGUMENTS = 2
"""One line on standard error says what is wrong."""
INTERRUPTED = 130
"""Ctrl-C: 128 + SIGINT, as shells report it."""


class UsageError(Exception):
    """An argument that the command cannot use; the message is all that the user sees."""


def printable(text: str) -> str:
    """Return the text in one line that gives a terminal no orders: what is not to be seen is written as in Python."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
