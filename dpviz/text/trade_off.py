"""Texts of the page Trade-off."""

from dpviz.text.template import Text

TITLE = "What does privacy cost?"

#: The answer, by case; the first that applies is shown.
ANSWERS = {
    "empty": Text("Select a private method to see what privacy costs."),
    "untested": Text(
        "No test image is of the rare classes ({classes:list}). Choose another score."
    ),
    "chance": Text(
        "No private method beats guessing at this privacy level.",
        "At {budget:md}, no private method differs significantly from chance ({chance:percent}).",
    ),
    "public": Text(
        "Public images alone do as well: **{public:of_100} of 100** {group}. The best private"
        " method gets **{private:of_100}**.",
        "No private method beats the public-only baseline (**{public:percent}**) at {budget:md}."
        " The best, {method}, reaches **{private:interval}**.",
    ),
    "level": Text(
        "{method} and {rival} are level at equal leakage. They recognize **{private:of_100}** and"
        " **{other:of_100} of 100** {group}.",
        "At equal leakage, {method} (**{private:percent}**) and {rival} (**{other:percent}**) do"
        " not differ significantly on {group}.",
    ),
    "best": Text(
        "{method} recognizes **{private:of_100} of 100** {group}. Without privacy it would be"
        " **{quiet:of_100}**.",
        "At {budget:md}, {method} classifies **{private:interval}** of {group} correctly; without"
        " noise **{quiet:percent}**.",
    ),
    "alone": Text(
        "{method} recognizes **{private:of_100} of 100** {group}.",
        "At {budget:md}, {method} classifies **{private:interval}** of {group} correctly.",
    ),
}
