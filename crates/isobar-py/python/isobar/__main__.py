"""The command `isobar`: `python -m isobar`, or the program of that name that comes with the package."""

import signal
import sys

from . import _isobar
from ._schemes import data_folder


def main() -> int:
    """Does what the words of the command line say, and gives the exit status."""
    # Ctrl-C ends it as it ends a program, and not with Python's traceback, unless the caller has it ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _isobar.command(["isobar", *sys.argv[1:]], data_folder())


if __name__ == "__main__":
    sys.exit(main())
