"""Who plays in a tournament: agents by their text, callables, and engines that run as programs of their own."""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from oanquan import _core
from oanquan.engine import Limit
from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from typing import SupportsIndex

    from oanquan._core import Move, Position

Agent: TypeAlias = "str | Callable[[tuple[Position, ...]], Iterable[Move | str | SupportsIndex]]"

_NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,9})?"
_CLOCK = re.compile(rf"({_NUMBER})(?:\+({_NUMBER}))?", re.ASCII)
_FIELDS = {"command", "options", "limit", "cwd", "env"}


def parse_limit(text: str) -> Limit:
    """Return the limit of a text: `time=SECONDS`, `depth=N` or `nodes=N` for a move, `clock=SECONDS+MORE` for a game.

    >>> parse_limit("time=0.1"), parse_limit("nodes=10000")
    (Limit(time=0.1), Limit(nodes=10000))
    >>> parse_limit("clock=60+0.5")
    Limit(clocks=(60.0, 60.0), increments=(0.5, 0.5))
    >>> parse_limit("fast")
    Traceback (most recent call last):
    oanquan.errors.OanquanError: limit: expected time=SECONDS, depth=N, nodes=N or clock=SECONDS+INCREMENT, got "fast"
    """
    kind, _, value = text.partition("=")
    if kind == "time" and re.fullmatch(_NUMBER, value, re.ASCII):
        return Limit(time=float(value))
    if kind in ("depth", "nodes") and re.fullmatch("[0-9]{1,18}", value, re.ASCII):
        return Limit(depth=int(value)) if kind == "depth" else Limit(nodes=int(value))
    if kind == "clock" and (clock := _CLOCK.fullmatch(value)):
        seconds, increment = float(clock[1]), float(clock[2] or 0)
        return Limit(clocks=(seconds, seconds), increments=(increment, increment))
    raise OanquanError(f'limit: expected time=SECONDS, depth=N, nodes=N or clock=SECONDS+INCREMENT, got "{text}"')


@dataclass(frozen=True)
class EnginePlayer:
    """A program that plays by the Universal Game Interface.

    >>> EnginePlayer("oanquan ugi", options={"Hash": 64}, limit=Limit(time=0.1)).label
    'oanquan ugi'
    """

    command: str | Sequence[str]
    """How it is started: a text that is split as a shell would, or the words."""

    name: str | None = None
    """What it is called; its command if left out."""

    options: Mapping[str, str | int | bool] = field(default_factory=dict)
    """What it is told to set when it has started."""

    limit: Limit | None = None
    """How long it thinks; that of the tournament if left out."""

    cwd: str | os.PathLike[str] | None = None
    """The directory that it is started in."""

    env: Mapping[str, str] | None = None
    """The variables of its environment; those of this process if left out."""

    def __post_init__(self) -> None:
        words: Any = [self.command] if isinstance(self.command, str) else self.command
        if not (isinstance(words, Sequence) and words and all(isinstance(word, str) and word for word in words)):
            raise OanquanError(f"command: expected a text or texts, got {self.command!r}")
        for name, value in self.options.items():
            if not isinstance(value, (str, int)):
                raise OanquanError(f"options: {name}: expected a text, a whole number or a truth value, got {value!r}")
        for name, value in (self.env or {}).items():
            if not isinstance(value, str):
                raise OanquanError(f"env: {name}: expected a text, got {value!r}")

    @property
    def label(self) -> str:
        """Its name, or what stands for it.

        >>> EnginePlayer(["oanquan", "ugi"], name="ours").label, EnginePlayer(["oanquan", "ugi"]).label
        ('ours', 'oanquan ugi')
        """
        return self.name or (self.command if isinstance(self.command, str) else " ".join(self.command))


Player: TypeAlias = "Agent | EnginePlayer"


def read_engines(path: str | os.PathLike[str]) -> dict[str, EnginePlayer]:
    """Read a TOML file with a table for each engine, and return the engines by their names.

    A table has a `command`, a text or a list of texts, and may have `options`, a table; `limit`, as `parse_limit` reads
    it; `cwd`, in relation to the file; and `env`, a table of what is added to the environment.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     file = Path(directory, "engines.toml")
    ...     _ = file.write_text('deep = { command = "oanquan ugi", options = { Hash = 64 }, limit = "depth=8" }')
    ...     read_engines(file)["deep"].limit
    Limit(depth=8)
    """
    with Path(path).open("rb") as file:
        try:
            content = tomllib.load(file)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise OanquanError(f"{path}: {error}") from None
    return {name: _engine_of(name, table, Path(path)) for name, table in content.items()}


def _engine_of(name: str, table: Any, path: Path) -> EnginePlayer:
    here = f"{path}: [{name}]"
    if not isinstance(table, dict):
        raise OanquanError(f"{here}: expected a table, got {type(table).__name__}")
    if unknown := [*table.keys() - _FIELDS]:
        raise OanquanError(f"{here}: expected {', '.join(sorted(_FIELDS))}, got {min(unknown)}")
    for key, kind in (("options", dict), ("limit", str), ("cwd", str), ("env", dict)):
        if key in table and not isinstance(table[key], kind):
            wanted = "a table" if kind is dict else "a text"
            raise OanquanError(f"{here}: {key}: expected {wanted}, got {type(table[key]).__name__}")
    try:
        return EnginePlayer(
            table.get("command", ""),
            name,
            table.get("options", {}),
            parse_limit(table["limit"]) if "limit" in table else None,
            path.parent / table["cwd"] if "cwd" in table else None,
            {**os.environ, **table["env"]} if "env" in table else None,
        )
    except OanquanError as error:
        raise OanquanError(f"{here}: {error}") from None


def label_of(player: Player) -> str:
    """Return what a player is called: the text of an agent in its one form, or the name of a callable or an engine.

    >>> label_of("mcts:simulations=050"), label_of(sorted)
    ('mcts:simulations=50', 'sorted')
    """
    if isinstance(player, EnginePlayer):
        return player.label
    if isinstance(player, str):
        return _core.agent_name(player)
    if callable(player):
        name = getattr(player, "__name__", None)
        return name if isinstance(name, str) else type(player).__name__
    raise TypeError(f"players: expected agents, callables or engines, got {type(player).__name__}")


def labels_of(players: Sequence[Player]) -> tuple[str, ...]:
    """Return what players are called, each otherwise: of the same name, the second has `(2)` after it.

    >>> labels_of(["random", "greedy", "random"])
    ('random', 'greedy', 'random (2)')
    """
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise TypeError(f"players: expected a sequence of players, got {type(players).__name__}")
    if len(players) < 2:
        raise OanquanError(f"players: expected two or more, got {len(players)}")
    seen: Counter[str] = Counter()
    labels: list[str] = []
    for label in map(label_of, players):
        seen[label] += 1
        labels.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
        if not label.isprintable():
            raise OanquanError(f"players: expected a name of printable characters, got {label!r}")
    if len({*labels}) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise OanquanError(f"players: expected names that differ, got two called {twice}")
    return tuple(labels)


def described(player: Player, limit: Limit | None) -> dict[str, Any]:
    """Return what of a player decides its games, ready for JSON.

    >>> described(EnginePlayer("oanquan ugi"), Limit(depth=4))
    {'engine': 'oanquan ugi', 'options': {}, 'limit': 'Limit(depth=4)'}
    """
    if isinstance(player, EnginePlayer):
        command = player.command if isinstance(player.command, str) else list(player.command)
        return {"engine": command, "options": dict(player.options), "limit": repr(player.limit or limit)}
    return {"agent" if isinstance(player, str) else "callable": label_of(player)}
