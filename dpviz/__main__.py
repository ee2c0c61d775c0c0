"""Entry point of the commands: ``python -m dpviz``."""

import sys

from dpviz.machine.interrupts import exit_at_once


def main() -> int:
    """Run the command of ``sys.argv``; return the exit status."""
    with exit_at_once():  # a module may turn the KeyboardInterrupt of its import into another error
        from dpviz.cli import main as run
    return run()


if __name__ == "__main__":
    sys.exit(main())
