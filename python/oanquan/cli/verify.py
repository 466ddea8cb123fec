"""`oanquan verify`."""

from __future__ import annotations

import json
import time

import oanquan
from oanquan import CertificateError
from oanquan.cli.arguments import Json, Whole, cannot_read
from oanquan.cli.progress import progress_bar
from oanquan.cli.status import DONE, FAULTY

WORDS = {
    "lower": "at least {} for the side to move",
    "upper": "at most {} for the side to move",
    "lower-at-most": "the side to move cannot force more than {} with the game over",
    "upper-at-least": "the side to move cannot be held to less than {} with the game over",
}


def verify(file: str, /, *, reference: bool = False, threads: Whole = 1, as_json: Json = False) -> int:
    """Replay a certificate of solved positions and print what it proves.

    Parameters
    ----------
    file
        What `oanquan solve --certificate FILE` has written.
    reference
        Replay it with the reference implementation, in Python: slow, and an independent opinion.
    threads
        Threads, or processes for the reference.
    """
    begun = time.perf_counter()
    try:
        with progress_bar() as progress:
            verified = oanquan.verify_certificate(file, reference=reference, threads=threads, progress=progress)
    except CertificateError as error:
        print(f"{file}: refused: {error}")
        return FAULTY
    except OSError as error:
        raise cannot_read(file, error) from None
    claims = [claim._asdict() for claim in verified.claims]
    if as_json:
        report = {"rules": str(verified.rules), "claims": claims, "decisions": verified.decisions}
        print(json.dumps({**report, "reference": reference}, indent=2))
        return DONE
    print(f"{file}: holds, by the rules {verified.rules}")
    for claim in verified.claims:
        print(f"  {claim.position}: {WORDS[claim.bound].format(claim.value)}")
    by = "the reference implementation" if reference else "the core"
    print(f"{verified.decisions:,} decisions replayed by {by} in {time.perf_counter() - begun:.1f} seconds")
    return DONE
