"""`oanquan match`."""

from __future__ import annotations

import json
import math
import re
import sys
from typing import Annotated

from cyclopts import Parameter

import oanquan
from oanquan import Sprt
from oanquan.cli.arguments import (
    Json,
    PositionText,
    RulesText,
    Whole,
    WholeOrNone,
    WholeOrOff,
    cannot_read,
    number,
    read_position,
)
from oanquan.cli.progress import progress_bar
from oanquan.cli.status import DONE, FAULTY, INTERRUPTED, UsageError
from oanquan.cli.tables import console, table
from oanquan.tournaments import (
    Encounter,
    EnginePlayer,
    TournamentInterrupted,
    TournamentResult,
    parse_limit,
    read_engines,
    run_tournament,
)

_NUMBER = r"[+-]?[0-9]{1,6}(?:\.[0-9]{1,6})?"
_ENGINE = "ugi:"


def match(
    *players: str,
    rules: RulesText = "mancala-world",
    position: PositionText = "start",
    schedule: str = "round-robin",
    games: Annotated[Whole, Parameter(name=["--games", "-n"])] = 1000,
    opening_plies: Whole = 4,
    engines: str | None = None,
    limit: str | None = None,
    margin: Annotated[
        float, Parameter(converter=number, help="Seconds by which an engine may overstep its time.")
    ] = 0.25,
    sprt: str | None = None,
    seed: Whole = 0,
    threads: WholeOrNone = None,
    max_plies: WholeOrOff = 1000,
    repetition: WholeOrOff = 3,
    out: Annotated[str | None, Parameter(name=["--out", "-o"])] = None,
    resume: bool = False,
    as_json: Json = False,
) -> int:
    """Play agents and engines against each other, in pairs of games that begin alike with swapped seats.

    Ctrl-C prints what was played until then. An engine that oversteps its time, crashes or plays an illegal move loses
    the game; one that crashes three times in a row retires, and the exit code is 1.

    Parameters
    ----------
    players
        Two or more: random, greedy, cautious, search:depth=N, search:nodes=N, mcts:simulations=N, table:FILE; an engine
        as "ugi:COMMAND LINE" or by its name in the file of --engines.
    schedule
        Of more than two: round-robin, each plays all others; gauntlet, the first plays all others; ladder, each plays
        the next one.
    games
        How many games each two play, at most: an even number.
    opening_plies
        With how many random moves each pair begins.
    engines
        A TOML file with a table for each engine: command, options, limit, cwd, env.
    limit
        How long engines think that have no limit of their own: time=SECONDS, depth=N or nodes=N for a move, or
        clock=SECONDS+INCREMENT for a game.
    sprt
        Two numbers joined by a comma: stop an encounter once it is settled whether the first player is stronger by the
        second number of Elo rather than by the first, each with an error of 5 %.
    seed
        Of openings and agents; the same seed gives the same games, whatever the number of threads.
    threads
        How many games are played at once; all cores if left out.
    max_plies
        Count a game after so many plies; `off` for no limit.
    repetition
        Count a game when a position stands for the n-th time; `off` for no limit.
    out
        Write every finished pair to this directory, and in the end games.records, games.parquet and result.json.
    resume
        With --out: go on with the tournament of the directory.
    """
    if len(players) < 2:
        raise UsageError(f"players: expected two or more, got {len(players)}")
    if resume and out is None:
        raise UsageError("--resume: expected --out with the directory to go on with")
    start = read_position(position, rules)
    interrupted = False
    entrants = _entrants(players, engines)
    test = None if sprt is None else _test(sprt)
    thinking = None if limit is None else parse_limit(limit)
    try:
        with progress_bar() as progress:
            result = run_tournament(
                entrants,
                position=start,
                schedule=schedule,
                games=games,
                opening_plies=opening_plies,
                seed=seed,
                threads=threads,
                limit=thinking,
                margin=margin,
                sprt=test,
                max_plies=max_plies,
                repetition=repetition,
                directory=out,
                resume=resume,
                progress=progress,
            )
    except TournamentInterrupted as interrupt:
        result = interrupt.result
        interrupted = True
    except ModuleNotFoundError as error:  # --out without pyarrow
        raise UsageError(str(error)) from None
    if as_json:
        asked = {"schedule": schedule, "games": games, "opening_plies": opening_plies, "seed": seed}
        _print_json(result, {"rules": str(start.rules), "position": str(start), **asked, "interrupted": interrupted})
    else:
        _print(result, interrupted=interrupted)
    for message in result.retired.values():
        print(f"oanquan: {message}", file=sys.stderr)
    return INTERRUPTED if interrupted else FAULTY if result.retired else DONE


def _entrants(players: tuple[str, ...], engines: str | None) -> list[str | EnginePlayer]:
    """The players of the texts."""
    try:
        known = {} if engines is None else read_engines(engines)
    except OSError as error:
        raise cannot_read(str(engines), error) from None
    made: list[str | EnginePlayer] = []
    for text in players:
        if text in known:
            made.append(known[text])
        elif text.startswith(_ENGINE):
            made.append(EnginePlayer(text.removeprefix(_ENGINE)))
        else:
            made.append(text)
    return made


def _test(text: str) -> Sprt:
    if not re.fullmatch(f"{_NUMBER},{_NUMBER}", text, flags=re.ASCII):
        raise UsageError(f'--sprt: expected two numbers joined by a comma, got "{text}"')
    elo0, elo1 = text.split(",")
    return Sprt(float(elo0), float(elo1))


def _print_json(result: TournamentResult, described: dict[str, object]) -> None:
    print(json.dumps({"version": oanquan.__version__, **described, **result.to_dict()}, indent=2))


def _print(result: TournamentResult, *, interrupted: bool) -> None:
    if len(result.players) > 2:
        rows = table("player", "Elo", "±", "points", "games", numbers=True)
        for rating in result.standings:
            error = f"{rating.error:.0f}" if math.isfinite(rating.error) else "-"
            rows.add_row(rating.player, _elo(rating.elo), error, f"{rating.points:.1f}", f"{rating.games}")
        console().print(rows)
    tested = any(encounter.sprt is not None for encounter in result.encounters)
    faults = any(encounter.forfeits or encounter.disputes for encounter in result.encounters)
    titles = ["player", "against", "games", "+/=/-", "Elo", "95 %"]
    rows = table(*titles, *(["verdict"] if tested else []), *(["faults"] if faults else []), numbers=True)
    for column in rows.columns[2:]:
        column.no_wrap = True  # the names give way
    for encounter in result.encounters:
        low, high = (_elo(elo) for elo in encounter.elo_interval)
        verdict = [encounter.verdict or "open"] if tested else []
        wrong = [_faults(encounter)] if faults else []
        games = f"{encounter.wins}/{encounter.draws}/{encounter.losses}"
        numbers = (f"{2 * encounter.pairs}", games, _elo(encounter.elo), f"{low} to {high}")
        rows.add_row(*encounter.agents, *numbers, *verdict, *wrong)
    console().print(rows)
    if interrupted:
        print("interrupted")


def _faults(encounter: Encounter) -> str:
    """What went wrong in the games, counted."""
    counts = {**encounter.forfeits, **({"dispute": encounter.disputes} if encounter.disputes else {})}
    return ", ".join(f"{games} {what}" for what, games in counts.items())


def _elo(elo: float) -> str:
    if math.isnan(elo):
        return "?"
    return f"{elo:+.0f}" if math.isfinite(elo) else "-∞" if elo < 0 else "∞"
