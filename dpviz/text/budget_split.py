"""Texts of a plan that splits a budget over releases: refusals, command, and tab of Calculator."""

from dpviz.text.template import Text

WEIGHT = "Weight of release {name:md}"
BAD_NAME = "A release needs a name of printable characters, got {name:md}."
LONG_NAME = "A name must have at most {most:number} characters, got {length:number}."
COUNT = "A plan must have 1 to {most:number} releases, got {count:number}."
TWICE = "Two releases have the name {name:md}. Rename one."
INFINITE = "A total budget must be finite. Without a limit there is nothing to split."
LARGE_FILE = "A plan must have at most {most:number} bytes, got {size:number}."
NO_TOML = "This file is not TOML: {reason:md}. Write a plan with dpviz split --out."
NO_PLAN = "This file is not a plan: it needs a total and [[release]] tables."
OTHER_RHO = (
    "Release {name:md} has rho = {stated:md}, but total and weight give {rho:md}. Remove rho, or"
    " change the weight."
)
UNKNOWN_KEY = "A plan has no key {key:md}. Its keys: {known:list}."
FILE_KIND = "plan"
FILE_NOTE = "Budget plan: rho of zCDP adds up over the releases. Read with: dpviz split FILE"

# ----------------------------------------------------------------------------------------- command

NO_PLAN_STATED = "Give a plan: FILE.toml, or --total and --release, or --each."
TWO_PLANS_STATED = "Give a plan in one way: by files, by --total and --release, or by --each."
OUT_OF_SEVERAL = "--out writes one plan, got {count:number} plans. Give one, or omit --out."
NO_WEIGHT = "A release must be NAME or NAME=WEIGHT, got {given:md}."
TOTAL_LINE = "Total: {budget:md}, ρ = {rho:number_down}. Each ε below is at δ = {delta:md}."
RELEASE_LINE = (
    "{name}: ρ = {rho:number_down} (ε = {epsilon:number_up} alone). Spent so far: ε ="
    " {spent:number_up}. Left: ρ = {left:number_down}."
)
ADDED_LINE = "All releases: ε = {epsilon:number_up}. Adding their ε would give {added:number_up}."
SUM_LINE = (
    "{plans:count plan plans} by independent analysts: ε = {epsilon:number_up} at δ = {delta:md}."
)
SUM_LINE_SMALLEST = (
    "{plans:count plan plans} by independent analysts: ε = {epsilon:number_up}"
    " at δ = {delta:md}. The plans differ in δ. The sum uses the smallest δ."
)
READING_LINE = (
    "Neighbors: add or remove one record. All releases protect the same records. Run each with"
    " --axis zcdp --budget ρ."
)
WRITTEN_LINE = "Plan written to {path:md}."

# -------------------------------------------------------------------------------------------- page

TAB = "Split a budget"
FINDING = Text(
    "{releases:count release}, planned together: ε = {epsilon:md}. Sum of the separate ε:"
    " {added:md}",
    "{releases:count release}, planned together: ε = {epsilon:md} at δ = {delta:number_up}. Sum of"
    " the separate ε: {added:md}",
)
CAPTION = Text(
    "Each release may use its ρ. Later releases may depend on earlier results.",
    "ρ of zCDP adds up over adaptive releases on the same records. ε at δ = {delta:number_up}."
    " Neighbors: add or remove one record.",
)
ANALYSTS_SENTENCE = (
    "{analysts:count analyst analysts} with this plan, unaware of each other: **ε = {epsilon:md}**"
    " in total."
)
#: What is given.
WAYS = {"total": "Total ε", "each": "ε of each release"}
LABELS = {
    "way": "Plan from",
    "total": "Total ε",
    "analysts": "Analysts",
    "releases": "Releases: name = weight",
    "each": "Releases: name = ε",
    "file": "Plan (TOML)",
    "notebook": "Notebook",
}
HELP = {
    "total": "Budget of all releases together, at the δ of this page.",
    "analysts": "People who each follow this plan on the same records, unaware of each other.",
    "releases": "One release per line. Weights divide the total ρ. Default weight: 1.",
    "each": "One release per line, with its ε at the δ of this page. Default ε: 1.",
}
COLUMNS = {
    "name": "release",
    "rho": "ρ",
    "epsilon": "ε alone",
    "spent": "ε spent so far",
    "left": "ρ left",
}
FIRST_NAMES = ["First look", "Main result", "Check"]
