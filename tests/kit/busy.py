"""Work in a process that does not end by itself."""

import os


def compute(_):
    os.write(1, f"{os.getpid()}\n".encode())
    while True:
        pass
