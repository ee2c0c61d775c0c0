"""Figures of Li et al. 2023 (Prom-PATE) and of those whom it compares itself with, as printed.

They are about other data and encoders than are shipped here, so they can be held against nothing
that is computed here; wherever they are shown they say "from the paper".
"""

from __future__ import annotations

from math import nan

from dpviz.plots.teachers import PrintedStudent


def _table(place: str, data: str, rows: tuple[tuple[str, float, float, float], ...]) -> tuple:
    return tuple(
        PrintedStudent(place, name, data, epsilon, round(percent / 100, 4), nan, sanitised)
        for name, epsilon, sanitised, percent in rows
    )


RIVALS: tuple[PrintedStudent, ...] = (
    *_table(
        "Table 4",
        "CIFAR-10",
        (
            ("Arif et al.", 1.04, nan, 87.55),
            ("Luo et al.", 1.0, nan, 76.64),
            ("Luo et al.", 1.5, nan, 81.57),
            ("Tramèr and Boneh", 2.0, nan, 92.7),
            ("Yu et al.", 1.0, nan, 94.3),
            ("Yu et al.", 2.0, nan, 94.8),
            ("De et al.", 1.0, nan, 94.7),
            ("De et al.", 2.0, nan, 95.4),
            ("Bu et al.", 1.0, nan, 96.7),
            ("Bu et al.", 2.0, nan, 97.1),
            ("Prom-PATE", 1.019, 1.209, 99.17),
            ("Prom-PATE", 1.505, 1.67, 99.07),
            ("Prom-PATE", 1.943, 2.25, 99.1),
        ),
    ),
    *_table(
        "Table 5",
        "Blood-MNIST",
        (
            ("Prom-PATE", 1.973, 2.521, 69.93),
            ("Transfer-PATE", 1.983, 2.508, 61.33),
            ("Arif et al.", 1.971, nan, 63.45),
        ),
    ),
    *_table(
        "Table 21",
        "CIFAR-100",
        (
            ("De et al.", 4.0, nan, 79.2),
            ("De et al.", 8.0, nan, 81.8),
            ("Bu et al.", 4.0, nan, 87.7),
            ("Bu et al.", 8.0, nan, 88.4),
            ("Prom-PATE", 4.089, 5.043, 88.33),
            ("Prom-PATE", 8.078, 10.026, 91.47),
        ),
    ),
)
"""Tables 4, 5 and 21: whose, the epsilon as printed, what it is once sanitised, the accuracy."""
