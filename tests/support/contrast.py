"""How well a colour is told from another."""

from __future__ import annotations


def contrast(colour: str, other: str) -> float:
    """The contrast of two colours, `#rrggbb`, as the Web Content Accessibility Guidelines have it: 1 to 21."""

    def luminance(of: str) -> float:
        shares = [int(of[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    darker, lighter = sorted((luminance(colour), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)
