"""Texts on public images alone, and on a public set of other classes."""

from dpviz.text.template import Text

#: By the sign of the difference of public images only from the best private method.
ACCURACY = {
    1: Text(
        "Public images only reach **{public:percent}**, clearly more than the best private method.",
        "Public images only reach **{public:percent}**, significantly more than the best private"
        " method.",
    ),
    -1: Text(
        "Public images only reach **{public:percent}**, clearly less than the best private method.",
        "Public images only reach **{public:percent}**, significantly less than the best private"
        " method.",
    ),
    0: Text(
        "Public images only reach **{public:percent}**, no clear difference from the best private"
        " method.",
        "Public images only reach **{public:percent}**, not significantly different from the best"
        " private method.",
    ),
    None: Text("Public images only reach **{public:percent}**."),
}
ERROR = {
    1: Text(
        "Public images only have **{public:percent}** errors, clearly more than the best private"
        " method.",
        "Public images only have **{public:percent}** errors, significantly more than the best"
        " private method.",
    ),
    -1: Text(
        "Public images only have **{public:percent}** errors, clearly fewer than the best private"
        " method.",
        "Public images only have **{public:percent}** errors, significantly fewer than the best"
        " private method.",
    ),
    0: Text(
        "Public images only have **{public:percent}** errors, no clear difference from the best"
        " private method.",
        "Public images only have **{public:percent}** errors, not significantly different from the"
        " best private method.",
    ),
    None: Text("Public images only have **{public:percent}** errors."),
}
ELSEWHERE = {
    "other": "With public images of other classes, {method:md} reaches **{there:percent}**.",
    "same": "With public images of the same classes, {method:md} reaches **{there:percent}**.",
}
ELSEWHERE_ERROR = {
    "other": "With public images of other classes, {method:md} has **{there:percent}** errors.",
    "same": "With public images of the same classes, {method:md} has **{there:percent}** errors.",
}
