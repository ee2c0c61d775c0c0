"""Texts about results from other sources in the chart of accuracy against budget."""

CAPTION = (
    "Open markers on dotted lines are external results from {file}. Their data, test set and"
    " neighbors can differ from those on this page."
)
NO_PLACE = (
    "Left out, because the guarantee has no value on the axis {axis}: {count:count} of"
    " {all:count result}."
)
OUT_OF_RANGE = (
    "Left out, because the budget is outside {low:number} to {high:number}: {count:count} of"
    " {all:count result}."
)
NO_SCORE = (
    "Left out, because the column {column} has no value: {count:count} of {all:count result}."
)
TOO_MANY = "The chart shows at most {most:count} methods. Left out ({count:count}): {names:list}."
