"""Who is ahead, by how much, and what to play: `search` and `analyse`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from oanquan import _core
from oanquan._core import Game, Move, Position
from oanquan.checks import MOST_THREADS, within
from oanquan.endgames import table_for
from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import SupportsIndex

    from oanquan.endgames import Tables

    _Line: TypeAlias = tuple[tuple[Move, ...], int, int | None, int | None]
    _Found: TypeAlias = tuple[str, int, tuple[_Line, ...], int | None, int | None, int, float, float]

_MOST_DEPTH = 100
_MOST_NODES = 2**63 - 1
_MOST_LINES = 14
_MOST_MEBIBYTES = 2**20
_NODES = 2_000_000  # unless the caller says otherwise
_POINT = 100  # scores come in hundredths of a point


@dataclass(frozen=True)
class Line:
    """A first move, what it is worth and how it goes on.

    Attributes:
        moves: The moves, best play by both. It may end before the depth of the search where the game does.
        score: The final margin by this line: the points of the side to move minus the other's, by the count. A guess,
            unless `settled`. With three and four sides: minus those of the best of the others.
        lower: After this move the side to move can make sure of so many points: proven by games that end. `None` if
            nothing is.
        upper: After this move the other side can make sure that it is no more.

    >>> import oanquan as oaq
    >>> line = oaq.search(oaq.Position.start(), depth=4).lines[0]
    >>> len(line.moves), line.move == line.moves[0], line.settled
    (4, True, False)
    """

    moves: tuple[Move, ...]
    score: float
    lower: int | None
    upper: int | None

    @property
    def move(self) -> Move:
        """The first move.

        >>> import oanquan as oaq
        >>> line = oaq.search(oaq.Position.start(), depth=4).lines[0]
        >>> line.move in oaq.Position.start().legal_moves
        True
        """
        return self.moves[0]

    @property
    def settled(self) -> bool:
        """Whether the value of the move is proven: both bounds are known and equal.

        >>> Line((), 3.0, 3, 3).settled
        True
        """
        return self.lower is not None and self.lower == self.upper

    def __str__(self) -> str:
        return f"{self.score:+.2f}  {' '.join(map(str, self.moves))}"


@dataclass(frozen=True)
class Analysis:
    """What a search found. Every margin is a final one, by the count, seen from the side to move.

    Attributes:
        position: What was searched.
        method: `"alpha-beta"` for two sides, `"max^n"` for three and four.
        depth: The depth that was searched to its end, in plies.
        lines: The best moves, the best first.
        lower: The side to move can make sure of so many points more than the other: proven by games that end.
            `None` if nothing is.
        upper: The other side can make sure that it is no more.
        nodes: Positions reached by playing a move.
        seconds: How long it took.
        table_used: The share of the transposition table that was written, 0 to 1.

    >>> import oanquan as oaq
    >>> analysis = oaq.search(oaq.Position.start(oaq.Rules.preset("wikipedia-vi")), depth=6)
    >>> analysis.depth, analysis.best == analysis.line[0], analysis.score == analysis.lines[0].score
    (6, True, True)
    >>> print(analysis)  # doctest: +ELLIPSIS
    depth 6  ... nodes  alpha-beta
    +...  a...
    """

    position: Position
    method: str
    depth: int
    lines: tuple[Line, ...]
    lower: int | None
    upper: int | None
    nodes: int
    seconds: float
    table_used: float

    @property
    def best(self) -> Move:
        """The best move.

        >>> import oanquan as oaq
        >>> analysis = oaq.search(oaq.Position.start(), depth=2)
        >>> oaq.Position.start().is_legal(analysis.best)
        True
        """
        return self.lines[0].move

    @property
    def line(self) -> tuple[Move, ...]:
        """The best line.

        >>> import oanquan as oaq
        >>> len(oaq.search(oaq.Position.start(), depth=5).line)
        5
        """
        return self.lines[0].moves

    @property
    def score(self) -> float:
        """The final margin by the best line, in points.

        >>> import oanquan as oaq
        >>> position = oaq.Position.parse("1.0.0.0.0.0/0.0.1.0.0.0q1 30/38q1 - a 40", oaq.Rules.preset("short-game"))
        >>> oaq.search(position, depth=14).score
        -30.0
        """
        return self.lines[0].score

    @property
    def settled(self) -> bool:
        """Whether the value of the position is proven, whatever endless play is worth.

        >>> import oanquan as oaq
        >>> position = oaq.Position.parse("1.0.0.0.0.0/0.0.1.0.0.0q1 30/38q1 - a 40", oaq.Rules.preset("short-game"))
        >>> oaq.search(position, depth=14).settled
        True
        """
        return self.lower is not None and self.lower == self.upper

    @property
    def bound(self) -> str:
        """What the score is: `"exact"` where it is proven, otherwise `"guess"`.

        >>> import oanquan as oaq
        >>> oaq.search(oaq.Position.start(), depth=4).bound
        'guess'
        """
        return "exact" if self.settled else "guess"

    @property
    def nodes_per_second(self) -> float:
        """How fast it went.

        >>> import oanquan as oaq
        >>> oaq.search(oaq.Position.start(), depth=4).nodes_per_second > 0
        True
        """
        return self.nodes / self.seconds if self.seconds > 0 else float("nan")

    def to_dict(self) -> dict[str, Any]:
        """Return everything as values that JSON knows.

        >>> import oanquan as oaq
        >>> sorted(oaq.search(oaq.Position.start(), depth=1).to_dict())[:4]
        ['bound', 'depth', 'lines', 'lower']
        """
        lines = [
            {"moves": [*map(str, line.moves)], "score": line.score, "lower": line.lower, "upper": line.upper}
            for line in self.lines
        ]
        return {
            "rules": str(self.position.rules),
            "position": str(self.position),
            "method": self.method,
            "depth": self.depth,
            "score": self.score,
            "bound": self.bound,
            "lower": self.lower,
            "upper": self.upper,
            "lines": lines,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "table_used": self.table_used,
        }

    def __str__(self) -> str:
        proven = ""
        if self.settled:
            proven = "  proven"
        elif self.lower is not None or self.upper is not None:
            low, high = ("?" if bound is None else f"{bound:+}" for bound in (self.lower, self.upper))
            proven = f"  proven: {low} to {high}"
        head = f"depth {self.depth}  {self.nodes:,} nodes  {self.method}{proven}"
        return "\n".join([head, *map(str, self.lines)])


class SearchInterrupted(KeyboardInterrupt):
    """Ctrl-C during `search`: a `KeyboardInterrupt` that has what was found until then.

    >>> import oanquan as oaq
    >>> try:
    ...     raise SearchInterrupted(oaq.search(oaq.Position.start(), depth=3))
    ... except KeyboardInterrupt as interrupt:
    ...     print(interrupt, interrupt.analysis.depth)
    search interrupted after depth 3 3
    """

    def __init__(self, analysis: Analysis) -> None:
        super().__init__(analysis)
        self.analysis = analysis

    def __str__(self) -> str:
        return f"search interrupted after depth {self.analysis.depth}"


def search(  # noqa: PLR0913 (all but the first by keyword)
    position: Position | Game,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    lines: int = 1,
    moves: Iterable[Move | str | SupportsIndex] = (),
    threads: int = 1,
    table_size: int = 64,
    tables: Tables | None = None,
    progress: Callable[[Analysis], object] | None = None,
    stop: Callable[[], object] | None = None,
) -> Analysis:
    """Search for the best move, depth after depth, until a limit is reached or the value is proven.

    With two sides what is found at a depth is what minimax of that depth finds. With three and four sides every
    side takes what puts it furthest ahead of the best of the others (max^n).

    Other Python threads run meanwhile. With one thread and no limit of seconds the same arguments give the same
    answer, but for the time.

    Args:
        position: A position, or a game: then a first move that ends it by repetition or by its last ply is worth
            the count. Limits of the game beyond that move are left out of account.
        depth: Stop after this depth, 1 to 100 plies.
        nodes: Stop after so many positions reached by playing a move, 0 to 2**63 - 1. Without any limit 2,000,000.
        seconds: Stop after so long, 0 or more. Depth 1 is always searched.
        lines: How many of the best moves are wanted, 1 to 14.
        moves: Look at these first moves only.
        threads: How many threads search, 1 to 1024. The score of a depth does not depend on it.
        table_size: The most that the transposition table may take, 0 to 2**20 MiB.
        tables: An endgame table that serves the rules (`Tables.serves`), asked about every position; what it knows
            counts as proven.
        progress: Called from the calling thread as `progress(analysis)` after each depth. An exception it raises
            stops the search and comes out of it.
        stop: Called from the calling thread many times a second: once its answer is true, the search ends with what it
            has found. `threading.Event().is_set` lets another thread stop it. As for an exception of `progress`.

    Raises:
        IllegalMoveError: One of `moves` is not legal.
        MemoryError: No room for the table.
        OanquanError: The game is over, a store holds more than a million points, the table does not serve the rules, or
            an argument is out of range.
        SearchInterrupted: Ctrl-C.
        TypeError: An argument of another type.

    >>> import oanquan as oaq
    >>> start = oaq.Position.start(oaq.Rules.preset("wikipedia-vi"))
    >>> analysis = oaq.search(start, depth=8, lines=3)
    >>> [str(line.move) for line in analysis.lines]
    ['a2-', 'a4+', 'a3+']
    >>> analysis.score >= oaq.search(start, depth=8, moves=["a1+"]).score
    True
    """
    game = _game(position)
    now = game.position
    depth = None if depth is None else within("depth", depth, 1, _MOST_DEPTH)
    nodes = None if nodes is None else within("nodes", nodes, 0, _MOST_NODES)
    if depth is None and nodes is None and seconds is None:
        nodes = _NODES
    lines = within("lines", lines, 1, _MOST_LINES)
    threads = within("threads", threads, 1, MOST_THREADS)
    table_bytes = within("table_size", table_size, 0, _MOST_MEBIBYTES) << 20
    report = None if progress is None else lambda found: progress(_analysis(now, found))
    given = [*moves]
    if isinstance(moves, str):
        raise TypeError(f"moves: expected moves like ({moves!r},), got str")
    limits = (depth, nodes, _seconds(seconds))
    told = (report, stop)
    found, error = _core.search(game, given, *limits, lines, threads, table_bytes, table_for(now.rules, tables), *told)
    analysis = _analysis(now, found)
    if isinstance(error, KeyboardInterrupt):
        raise SearchInterrupted(analysis) from error
    if error is not None:
        raise error
    return analysis


def _game(position: Position | Game) -> Game:
    if isinstance(position, Game):
        return position
    if not isinstance(position, Position):
        raise TypeError(f"position: expected a Position or a Game, got {type(position).__name__}")
    return Game(position=position, max_plies=None, repetition=None)


def _seconds(seconds: float | None) -> float | None:
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise TypeError(f"seconds: expected a number, got {type(seconds).__name__}")
    if not seconds >= 0:
        raise OanquanError(f"seconds: expected 0 or more, got {seconds}")
    return float(min(seconds, 1e18))


def _analysis(position: Position, found: _Found) -> Analysis:
    method, depth, lines, lower, upper, nodes, seconds, used = found
    made = tuple(Line(moves, score / _POINT, low, high) for moves, score, low, high in lines)
    return Analysis(position, method, depth, made, lower, upper, nodes, seconds, used)


@dataclass(frozen=True)
class Judgement:
    """A move of a game, held against the best one.

    Attributes:
        ply: How many moves were made before it.
        position: Where it was made.
        move: The move.
        line: How it goes on with best play by both, itself included; its score is what the move is worth.
        analysis: What was found of the position; its best move is the one to compare with.

    >>> import oanquan as oaq
    >>> game = oaq.Game.parse("1. a1+ b2+ *")
    >>> [judgement.ply for judgement in oaq.analyse(game, depth=3)]
    [0, 1]
    """

    ply: int
    position: Position
    move: Move
    line: Line
    analysis: Analysis

    @property
    def loss(self) -> float:
        """How many points the move is worse than the best one, by the search.

        >>> import oanquan as oaq
        >>> [judgement.loss >= 0 for judgement in oaq.analyse(oaq.Game.parse("1. a1+ b2+ *"), depth=3)]
        [True, True]
        """
        return round(self.analysis.score - self.line.score, 2)

    @property
    def settled(self) -> bool:
        """Whether the loss is proven.

        >>> import oanquan as oaq
        >>> oaq.analyse(oaq.Game.parse("1. a1+ *"), depth=3)[0].settled
        False
        """
        return self.analysis.settled and self.line.settled

    def in_words(self) -> str:
        """Return what the best line does, move by move.

        >>> import oanquan as oaq
        >>> print(oaq.analyse(oaq.Game.parse("1. a1+ *"), depth=2)[0].in_words())  # doctest: +ELLIPSIS
        a...+ ...; b... ...
        """
        return in_words(self.position, self.analysis.line)


def analyse(
    game: Game,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    table_size: int = 64,
    tables: Tables | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[Judgement, ...]:
    """Judge every move of a game: how many points it is worse than the best one.

    Each position is searched within the limits, as by `search`, and the move that was made to the same depth.

    Args:
        game: The game.
        depth: As in `search`, for each position; so the next three.
        nodes: Without any limit 2,000,000 for each position.
        seconds: For each position.
        threads: As in `search`; so the next two.
        table_size: In MiB.
        tables: An endgame table that serves the rules.
        progress: Called as `progress(done, moves)` after each move.

    Raises:
        SearchInterrupted: Ctrl-C.
        OanquanError: As `search`.

    >>> import oanquan as oaq
    >>> for judgement in oaq.analyse(oaq.Game.parse("1. a1+ b3- *"), depth=6):
    ...     print(judgement.move, judgement.loss >= 0, judgement.position.is_legal(judgement.analysis.best))
    a1+ True True
    b3- True True
    """
    replayed = Game(position=game.start, max_plies=game.max_plies, repetition=game.repetition)
    look = partial(search, threads=threads, table_size=table_size, tables=tables)
    judgements: list[Judgement] = []
    for move in game.moves:
        analysis = look(replayed, depth=depth, nodes=nodes, seconds=seconds)
        line = analysis.lines[0]
        if line.move != move:
            line = look(replayed, depth=analysis.depth, moves=[move]).lines[0]
        judgements.append(Judgement(len(judgements), replayed.position, move, line, analysis))
        replayed.push(move)
        if progress is not None:
            progress(len(judgements), len(game.moves))
    return tuple(judgements)


def in_words(position: Position, moves: Iterable[Move]) -> str:
    """Return what each of the moves does, played one after the other from a position.

    >>> import oanquan as oaq
    >>> position = oaq.Position.parse("0.0.0.1.0.0/3.0.2.0.0.0q1 0/44q1 - a 0", oaq.Rules.preset("wikipedia-vi"))
    >>> print(in_words(position, [oaq.Move("a4+")]))
    a4+ captures 5 points (b1, b3), side b re-seeds
    """
    told = []
    for move in moves:
        told.append(_move_in_words(position, move))
        position = position.play(move)
    return "; ".join(told)


def _move_in_words(position: Position, move: Move) -> str:
    steps = position.trace(move)
    captures = [step for step in steps if step.kind == "capture"]
    value = position.rules.mandarin_value
    points = sum((step.pebbles or 0) + value * (step.mandarins or 0) for step in captures)
    squares = ", ".join(str(step.square) for step in captures)
    parts = [f"captures {points} point{'' if points == 1 else 's'} ({squares})" if captures else "captures nothing"]
    parts += [f"side {step.side} re-seeds" for step in steps if step.kind == "reseed"]
    if any(step.kind == "end" for step in steps):
        parts.append("the game is over")
    return f"{move} {', '.join(parts)}"
