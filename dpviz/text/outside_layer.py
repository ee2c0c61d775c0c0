"""Texts about results from other sources in the chart of accuracy against budget."""

CAPTION = (
    "Open markers on dotted lines are {mark}. Their data, test set and neighbors can differ from"
    " those on this page."
)
NO_PLACE = (
    "{count:count} of {all:count} results have a guarantee that cannot be placed on the axis"
    " {axis}."
)
OUT_OF_RANGE = (
    "{count:count} of {all:count} results have a budget outside {low:number} to {high:number}."
)
NO_SCORE = "{count:count} of {all:count} results have no value in the column {column}."
TOO_MANY = "The chart shows at most {most:count} methods. Left out ({count:count}): {names:list}."
