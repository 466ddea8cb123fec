"""Boards as text: what `oanquan show` prints, at most 80 columns wide, the owner of every number named."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oanquan._core import Position

_WIDTH = 80


def board_text(position: Position) -> str:
    """Return the board of a position, its stores and debts, whose turn it is and the legal moves.

    Side a sits at the bottom and sows counter-clockwise to the right; the other sides follow round the board.

    >>> import oanquan as oaq
    >>> print(oaq.board_text(oaq.Position.start()))
                           side b
                b5    b4    b3    b2    b1
              +-----+-----+-----+-----+-----+
          bm  |   5 |   5 |   5 |   5 |   5 |  am
         0q1  +-----+-----+-----+-----+-----+  0q1
              |   5 |   5 |   5 |   5 |   5 |
              +-----+-----+-----+-----+-----+
                a1    a2    a3    a4    a5
                           side a
    <BLANKLINE>
    side a  store 0 pebbles, 0 mandarins; 0 points
    side b  store 0 pebbles, 0 mandarins; 0 points
    turn    a, ply 0
    moves   a1+ a1- a2+ a2- a3+ a3- a4+ a4- a5+ a5-
    """
    drawing = {2: _two_sides, 3: _three_sides, 4: _four_sides}[position.rules.sides](position)
    return "\n".join(line.rstrip() for line in [*drawing, "", *_ledger(position)])


def _count(position: Position, index: int) -> str:
    """What stands in a square as position texts write it: pebbles, and `q1` for a mandarin."""
    return f"{position.pebbles[index]}q1" if position.mandarins[index] else str(position.pebbles[index])


def _labels(position: Position) -> list[str]:
    """Every square of the ring with its name: `a1 5`, `am 0q1`."""
    return [f"{name} {_count(position, index)}" for index, name in enumerate(position.rules.square_names)]


def _two_sides(position: Position) -> list[str]:
    """Side b above, right to left; side a below, left to right; `bm` and `am` at the ends."""
    squares, names = position.rules.squares, position.rules.square_names
    below, above = list(range(squares)), list(range(2 * squares, squares, -1))
    left, right = 2 * squares + 1, squares
    pad = " " * 10
    rule = "+" + "-----+" * squares

    def named(indices: list[int]) -> str:
        return pad + "".join(f"  {names[index]}  " for index in indices)

    def counted(indices: list[int]) -> str:
        return "|" + "".join(f" {_count(position, index):>3} |" for index in indices)

    def titled(side: str) -> str:
        return pad + f"side {side}".center(len(rule))

    return [
        titled("b"),
        named(above),
        pad + rule,
        f"{names[left]:>8}  {counted(above)}  {names[right]}",
        f"{_count(position, left):>8}  {rule}  {_count(position, right)}",
        pad + counted(below),
        pad + rule,
        named(below),
        titled("a"),
    ]


def _three_sides(position: Position) -> list[str]:
    """A triangle: a along the bottom, b up the right, c down the left."""
    squares, labels = position.rules.squares, _labels(position)
    row, step = squares + 1, 4
    right, left = labels[row : row + squares], labels[2 * row : 2 * row + squares]
    bottom = "".join(f"{text:<8}" for text in labels[:squares])
    width = len(bottom) + 10
    lines = [labels[row + squares].center(width + 10)]
    for height in range(squares):
        inset = (squares - height) * step * squares // (squares + 1) + 2
        gap = width - 2 * inset
        lines.append(" " * inset + f"{left[height]:<{gap}}" + right[squares - 1 - height])
    lines.append(f"{labels[3 * row - 1]:<10}{bottom}{labels[squares]}")
    return lines


def _four_sides(position: Position) -> list[str]:
    """A quadrilateral: a along the bottom, b up the right, c along the top, d down the left."""
    squares, labels = position.rules.squares, _labels(position)
    row = squares + 1
    side_b, side_d = labels[row : row + squares], labels[3 * row : 3 * row + squares]
    bottom = "".join(f"{text:<8}" for text in labels[:squares])
    top = "".join(f"{text:<8}" for text in reversed(labels[2 * row : 2 * row + squares]))
    lines = [f"{labels[3 * row - 1]:<10}{top}{labels[2 * row - 1]}"]
    lines += [
        f"{labels_d:<{10 + len(bottom)}}{labels_b}" for labels_d, labels_b in zip(side_d, reversed(side_b), strict=True)
    ]
    lines.append(f"{labels[4 * row - 1]:<10}{bottom}{labels[squares]}")
    return lines


def _ledger(position: Position) -> Iterable[str]:
    """Stores, points and debts of each side; then the turn and the moves, or the end."""
    for side, store, points in zip("abcd", position.stores, position.points, strict=False):
        owes = "repaid" if position.is_over else "owes"
        debts = "".join(f"; {owes} {debt.creditor} {debt.pebbles}" for debt in position.debts if debt.debtor == side)
        yield (
            f"side {side}  store {_plural(store.pebbles, 'pebble')}, {_plural(store.mandarins, 'mandarin')}; "
            f"{_plural(points, 'point')}{debts}"
        )
    if position.outcome is None:
        yield f"turn    {position.turn}, ply {position.ply}"
        yield from _wrapped("moves", [str(move) for move in position.legal_moves])
    else:
        winner = position.outcome.winner
        result = "a draw" if winner is None else f"side {winner} wins"
        yield f"over    {result} ({position.outcome.ending}), ply {position.ply}; points are the count, rows included"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _wrapped(title: str, words: list[str]) -> Iterable[str]:
    line = f"{title:<7}"
    for word in words:
        if len(line) + 1 + len(word) > _WIDTH:
            yield line
            line = " " * 7
        line += f" {word}"
    yield line
