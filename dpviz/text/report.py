"""Texts of the one-page report."""

#: Headings, in the order of the page.
ASK = "Questions to ask about any guarantee"
GUARANTEES = "Guarantees"
SMALL_PRINT = "Small print"
#: Columns of the table of guarantees.
HEADS = ("Method", "Attacker's best guess", "Guarantee")

#: Questions, and what this view answers.
QUESTIONS = {
    "budget": "Which ε and δ?",
    "unit": "Per image, or per person?",
    "public": "Which data count as public?",
    "noise": "Who adds the noise?",
}
ANSWERS = {
    "budget": "Here: ε = {epsilon:number_up}, δ = {delta:number_up}",
    "budgets": "Here: see each guarantee below",
    "per_record": "Here: per image",
    "per_person": "Here: per person",
    "public": "Here: {public:md}",
    "noise": "Here: the data holder, before release",
}
GUESS = "at most {share:at_most} (chance 50%)"
NO_LIMIT = "no limit"
NOTION = "{headline:md} (ε = {epsilon:number_up} at δ = {delta:number_up})"
PROTECTS = "Protects: {units:md}."
PUBLIC = "Public: {public:md}."
OWN_IMAGES = "{images:md}."
OF_METHODS = "{words:md} ({methods:md})"

LIMITS = (
    "No guarantee of this kind prevents theft or leaks elsewhere.",
    "Anyone can still learn facts about people in general.",
)
EACH_RECORD = "The guarantee covers one record ({unit:md}), not all records of one person."
EACH_PERSON = "The guarantee covers all counted records of one person."

PRIVATE_CHART = "This chart uses private records without noise."
NOT_COVERED = (
    "This {medium:md} is not covered by the guarantee. Its accuracies use test records and average"
    " over several releases. Each release would spend the budget again. Values without noise come"
    " from the private records."
)
MINORITY = "Private class counts decide which classes are rare."
PRIVATE_VIEW = "Private view, not covered by the guarantee."
#: Who may see the sheet, by whether the data set is public.
READERS = {
    True: (
        "{title:md} is public data, used here in place of private data. With private data, show"
        " this {medium:md} to the data holder only."
    ),
    False: "The data set is private. Show this {medium:md} to the data holder only.",
}
RATIO = "{ratio:md}."

#: What holds the text: one page, or a file with several views.
SHEET, FILE = "report", "file"

LINK = "This view:"
LINK_WITHOUT_SERVER = "This view, on any dpviz server:"
#: Before code that gives the numbers again: of all runs at the budget, or of the main numbers.
REPRODUCE = "All runs at this budget, from the project folder ({replay:md}):"
REPRODUCE_PART = "The main numbers, from the project folder ({replay:md}):"
MORE_COMMANDS = "{command:md} # {more:count more_command}: see Export in this view"
ORIGIN = "{day:md}. {versions:md}."
ORIGIN_OF_RUNS = "{day:md}. {runs:count simulated_run} of dpviz. {versions:md}."
