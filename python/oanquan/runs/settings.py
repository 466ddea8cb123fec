"""What the games of a run are: everything that decides them, its texts and its digest."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oanquan import _core
from oanquan._core import Position
from oanquan.checks import MOST_LIMIT, MOST_SEED, seats, start_of, within, within_or_off
from oanquan.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


# The name of an agent with an endgame table, which is known by its checksum.
_TABLE = re.compile(r"(table:.+):crc32=[0-9a-f]{8}", re.ASCII | re.DOTALL)


@dataclass(frozen=True)
class Settings:
    """Everything that decides the games of a run and the columns that are kept of them.

    Two runs with equal settings have equal games, number by number, on every machine.

    >>> settings = Settings.of(Rules.preset("tonkin"), agents=("greedy", "random"), seed=7)
    >>> settings.texts()["rules"], settings.texts()["agents"], len(settings.digest)
    ('tonkin', 'greedy,random', 64)
    """

    position: Position
    """Where every game begins."""

    agents: tuple[str, ...]
    """Who plays, one text a side, in the one form that it has."""

    seed: int
    """The seed of the random streams."""

    max_plies: int | None
    """Plies after which a game is counted."""

    repetition: int | None
    """How often a position may stand before a game is counted."""

    moves: bool
    """Whether the moves are kept."""

    positions: bool
    """Whether the positions are kept."""

    version: str
    """The version of the package that plays."""

    @classmethod
    def of(
        cls,
        rules: Rules | None = None,
        *,
        position: Position | None = None,
        agents: Sequence[str] = ("random", "random"),
        seed: int = 0,
        max_plies: int | None = 1000,
        repetition: int | None = 3,
        moves: bool = False,
        positions: bool = False,
    ) -> Settings:
        """Check the arguments, which are those of `oanquan.simulate`, and return the settings.

        >>> Settings.of(seed=-1)
        Traceback (most recent call last):
        oanquan.errors.OanquanError: seed: expected 0 to 18446744073709551615, got -1
        """
        start = start_of(rules, position)
        sides = start.rules.sides
        names = seats(agents, sides)
        for name in names:
            if not isinstance(name, str):
                raise TypeError(f"agents: expected names, as other processes know them, got {type(name).__name__}")
        known = [_core.agent_name(name) for name in names]
        return cls(
            start,
            tuple(known[side % len(known)] for side in range(sides)),
            within("seed", seed, 0, MOST_SEED),
            within_or_off("max_plies", max_plies, 0, MOST_LIMIT),
            within_or_off("repetition", repetition, 1, MOST_LIMIT),
            _flag("moves", moves),
            _flag("positions", positions),
            _core.__version__,
        )

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Settings:
        """Return the settings that have these texts; `KeyError` or `ValueError` if none have.

        The file of an endgame table that plays need not be there: `check_agents` looks at it.

        >>> settings = Settings.of(seed=7, max_plies=None)
        >>> Settings.from_texts(settings.texts()) == settings
        True
        """
        agents = texts["agents"].split(",")
        settings = cls.of(
            position=Position.parse(texts["position"], Rules.parse(texts["rules"])),
            agents=["random" if _TABLE.fullmatch(name) else name for name in agents],
            seed=int(texts["seed"]),
            max_plies=None if texts["max_plies"] == "off" else int(texts["max_plies"]),
            repetition=None if texts["repetition"] == "off" else int(texts["repetition"]),
            moves=texts["moves"] == "yes",
            positions=texts["positions"] == "yes",
        )
        both = zip(agents, settings.agents, strict=True)
        named = tuple(written if _TABLE.fullmatch(written) else known for written, known in both)
        settings = replace(settings, agents=named, version=texts["version"])
        if settings.texts() != texts:
            raise ValueError(f"expected the settings as they are written, got {json.dumps(texts)}")
        return settings

    def check_agents(self) -> None:
        """Raise `OanquanError` if an agent cannot play here: the file of its table is missing, or has other content.

        >>> Settings.of().check_agents()
        """
        for name in self.agents:
            _core.agent_name(name)

    def texts(self) -> dict[str, str]:
        """Return every part as a text, by its name: what the digest is made of.

        >>> Settings.of(max_plies=None).texts()["max_plies"]
        'off'
        """
        return {
            "rules": str(self.position.rules),
            "position": str(self.position),
            "agents": ",".join(self.agents),
            "seed": str(self.seed),
            "max_plies": _or_off(self.max_plies),
            "repetition": _or_off(self.repetition),
            "moves": "yes" if self.moves else "no",
            "positions": "yes" if self.positions else "no",
            "version": self.version,
        }

    @property
    def digest(self) -> str:
        """The SHA-256 of the texts, as JSON with sorted names and without spaces, in hexadecimal digits.

        >>> Settings.of(seed=1).digest == Settings.of(seed=1).digest, Settings.of(seed=1).digest == Settings.of().digest
        (True, False)
        """
        return digest_of(self.texts())

    def differences(self, texts: Mapping[str, str]) -> tuple[str, ...]:
        """Return where these settings differ from the texts of a run, one string each.

        >>> Settings.of(seed=2).differences(Settings.of(seed=1).texts())
        ('seed: the run has 1, asked for 2',)
        """
        ours = self.texts()
        return tuple(
            f"{name}: the run has {texts.get(name, 'none')}, asked for {ours[name]}"
            + (": the endgame table has another content now" if _same_file(texts.get(name, ""), ours[name]) else "")
            for name in ours
            if texts.get(name) != ours[name]
        )


def _same_file(theirs: str, ours: str) -> bool:
    """Whether texts of agents differ only in the checksums of tables."""
    one, two = ([_TABLE.sub(r"\1", name) for name in agents.split(",")] for agents in (theirs, ours))
    return one == two


def _flag(name: str, value: bool) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name}: expected True or False, got {type(value).__name__}")
    return value


def _or_off(limit: int | None) -> str:
    return "off" if limit is None else str(limit)


def digest_of(texts: Mapping[str, str]) -> str:
    """Return the digest of settings given as texts.

    >>> digest_of(Settings.of().texts()) == Settings.of().digest
    True
    """
    canonical = json.dumps(dict(texts), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
