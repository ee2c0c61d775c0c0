"""Texts of the session ledger: totals, their conditions, and one line per group of runs."""

TITLE = "Privacy spent in this session"
CAP_LABEL = "Session cap (ε at δ = 1e-5)"
CAP_HELP = (
    "Limit on the privacy cost of this session. Choose it before the first private run. The ledger"
    " counts runs and does not block them."
)
COOKIE_TEXT = (
    "Reloading the page or resetting the controls does not change this ledger. The server"
    " recognizes this browser by a cookie, and keeps the ledger until the server restarts. Every"
    " browser has its own ledger."
)
START_OVER = "Start a new ledger"
START_OVER_HELP = "Results already shown cannot be taken back. A new ledger does not change this."
NOTHING = "No private run has been shown yet. Runs without noise are not counted."
REPLAY = (
    "Simulated with fixed seeds. Anyone who can choose budgets at one seed can remove the noise."
    " Use `dpviz release` for a private release."
)
UNBOUNDED = (
    "**No bound.** Some of these runs share their noise. Two of them together can reveal the value"
    " without noise."
)
INDEPENDENT = "With independent noise for each run:"
UNKNOWN = "**No bound.** No bound is known for one of these runs."
NO_COST = (
    "**No bound.** A shown result has an unknown privacy cost. Examples are runs of a faulty"
    " mechanism, charts that reuse the noise of other runs, and exported interactive files."
)
SEVERAL_UNITS = (
    "**No single total.** These runs protect different units, neighbors or records. Each total"
    " below covers its own runs alone."
)
LABELED = "{adjacency:md}, or one labeled public record where a run protects it"
CONTESTED = "{neighbors:md}; {records:md} {state:md}"
DIVIDED = "{neighbors:md}; training and test records as split by data draw {draw:md}"
PROTECTED, TAKEN = "protected", "treated as public"
PARTS = {"": "records of {name:md}", "held-aside": "set-aside images of {name:md}"}
PUBLIC_PART = "public records of {name:md}"
BEGINS = "Start of each guarantee: {starts:md}."
DIFFERENT_STARTS = (
    "**Different starting points.** Each line names where its guarantee begins. A total covers one"
    " record added to or removed from each of these sets, while other records stay the same."
    " No total covers a record whose presence changes which other records are in a set."
)
PLANNED = (
    "**Total for a plan fixed beforehand:** ε = {epsilon:md} at δ = {delta:md} (neighbors:"
    " {adjacency:md})."
)
ADAPTIVE = (
    "**Total for runs chosen after seeing results:** ε = {epsilon:md} at δ = {delta:md}, the"
    " session cap. The runs use ρ = {used:md} of {cap:md}."
)
BEYOND = (
    "**No total for runs chosen after seeing results.** Runs beyond the session cap of ρ ="
    " {cap:md}: the last {beyond:count} of {runs:count}."
)
BEST_OF_MANY = (
    "**No total for runs chosen after seeing results.** The best of a secret number of"
    " runs has no bound in zCDP."
)
RESTATED = (
    "Some runs protect a replaced record; others protect an added or removed one. The latter count"
    " at twice their sensitivity. Adding or removing a record has no bound here."
)
PRIVATE_VIEWS = (
    "Private views are not counted. They read records without noise and have no finite cost."
)
LINE = "{runs:md}; {price:md} on its own."
LINE_BEGINS = "Begins {starts:md}."
SHARES_OWN = (
    "{runs:md}; no bound, since budgets share one seed. With independent noise: {price:md}."
)
LINE_NEIGHBORS = "Neighbors: {adjacency:md}."
SHARES_NOISE = "Shares noise with {method:md}."
MORE_LINES = "The totals include {lines:count more_line}."
LINE_OF = "**{title:md}**: {words:md}"
DELTA = "At δ = {delta:md}:"
RELEASES = "{releases:count release} with noise from system entropy"
SECRET_RUNS = "best of a secret number of runs"
SINGLE_RUN = "1 run, {seeds:md}"
RUNS = "{runs:count} runs: {budgets:count budget}, {seeds:md}"
SAME_METHOD = "the same method with other settings or data"
PRICE = "ε = {epsilon:md}"
NO_BOUND = "no bound"
SEED = "seed {seed:md}"
SEED_RANGE = "seeds {first:md} to {last:md}"
SEEDS = "{seeds:count} seeds"
PARAM = "{name:md} {value:md}"
