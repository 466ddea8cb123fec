"""`python -m oanquan.cli`, the same as `oanquan`."""

import sys

from oanquan.cli import main

sys.exit(main())
