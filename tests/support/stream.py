"""The random stream of games, which the package promises to keep: SplitMix64, one draw a ply."""

from __future__ import annotations

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(x: int) -> int:
    z = (x + GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def draw(seed: int, game: int, ply: int, choices: int) -> int:
    """Which of so many choices game number `game` of a simulation with this seed makes at this ply."""
    key = mix((mix(seed) + game) & MASK)
    return ((mix((key + ply * GOLDEN) & MASK) >> 32) * choices) >> 32
