"""The command `oanquan`: one module for each command, loaded when it is called."""

from oanquan.cli.app import main

__all__ = ["main"]
