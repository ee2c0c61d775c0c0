"""The ledger of noisy votes: 2,000 queries by 250 teachers accounted for, and one move of the
aggregation.

Votes are drawn here, near-unanimous for some queries and split for others: what is timed does not
depend on whose they are.

    make bench BENCH=benchmarks/votes_ledger.py
"""

from __future__ import annotations

import numpy as np
from _common import cost, median_cost, table, verdict

from dpviz.diagnostics import vote_answers
from dpviz.privacy.vote_ledger import Setting, account

BY = Setting(180.0, 60.0, 30.0, 1e-5)
ROUNDS = 5


def votes(queries: int, teachers: int) -> np.ndarray:
    """Counts (queries, 10)."""
    rng = np.random.default_rng(0)
    return np.array(
        [rng.multinomial(teachers, p) for p in rng.dirichlet(np.full(10, 0.1), queries)]
    )


def main() -> None:
    """Print the table."""
    counts = votes(2000, 250)
    ledgers = vote_answers.answer(counts[:100], BY, 0)
    work = {
        "account, 2,000 queries by 250 teachers": lambda: account(counts, BY, sanitise=False),
        "the same with both sanitised epsilons": lambda: account(counts, BY),
        "one move of T or noise, 100 queries": lambda: vote_answers.answer(counts[:100], BY, 0),
        "epsilon query by query, 100 queries": lambda: vote_answers.growth(ledgers),
    }
    taken = {name: median_cost([cost(one) for _ in range(ROUNDS)]) for name, one in work.items()}
    table(
        ["work", "s", "CPU s"],
        [(name, f"{c.wall:.3f}", f"{c.cpu:.3f}") for name, c in taken.items()],
    )
    first = next(iter(taken))
    verdict(f"s, {first}", taken[first].wall, 5, is_limit=True)


if __name__ == "__main__":
    main()
