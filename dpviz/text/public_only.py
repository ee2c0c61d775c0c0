"""Texts on public images alone, and on a public set of other classes."""

from dpviz.text.template import Text

#: By the sign of the difference of public images alone from the best private method.
ACCURACY = {
    1: Text(
        "Public images alone reach **{public:percent}**, clearly more than the best private"
        " method.",
        "Public images alone reach **{public:percent}**, significantly more than the best private"
        " method.",
    ),
    -1: Text(
        "Public images alone reach **{public:percent}**, clearly less than the best private"
        " method.",
        "Public images alone reach **{public:percent}**, significantly less than the best private"
        " method.",
    ),
    0: Text(
        "Public images alone reach **{public:percent}**, not clearly different from the best"
        " private method.",
        "Public images alone reach **{public:percent}**, not significantly different from the best"
        " private method.",
    ),
    None: Text("Public images alone reach **{public:percent}**."),
}
ERROR = {
    1: Text(
        "With public images alone, the error is **{public:percent}**, clearly higher than with the"
        " best private method.",
        "With public images alone, the error is **{public:percent}**, significantly higher than"
        " with the best private method.",
    ),
    -1: Text(
        "With public images alone, the error is **{public:percent}**, clearly lower than with the"
        " best private method.",
        "With public images alone, the error is **{public:percent}**, significantly lower than"
        " with the best private method.",
    ),
    0: Text(
        "With public images alone, the error is **{public:percent}**, not clearly different from"
        " the best private method.",
        "With public images alone, the error is **{public:percent}**, not significantly different"
        " from the best private method.",
    ),
    None: Text("With public images alone, the error is **{public:percent}**."),
}
ELSEWHERE = {
    "other": "With public images of other classes, {method:md} reaches **{there:percent}**.",
    "same": "With public images of the same classes, {method:md} reaches **{there:percent}**.",
}
ELSEWHERE_ERROR = {
    "other": (
        "With public images of other classes, {method:md} has an error of **{there:percent}**."
    ),
    "same": (
        "With public images of the same classes, {method:md} has an error of **{there:percent}**."
    ),
}
