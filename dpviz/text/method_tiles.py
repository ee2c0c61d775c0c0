"""Texts of the tiles and tabs that the pages of one method share."""

#: A number that is not computed, whether or not work on it goes on.
PENDING, PENDING_NOTE = "–", "not computed yet"
RUNS_HELP = "Mean of {runs:count run}. A page with more runs shows a slightly different mean."
#: Below an accuracy over data draws, and what its help adds.
MEAN_OF_DRAWS = "mean of {draws:count data_draw}"
DRAWS_HELP = (
    "Mean of {draws:count data_draw}. Each uses different images and different rare classes,"
    " with {runs:count noise_seed} where noise is added."
)
#: Below an accuracy whose runs share one data draw; ``text.settings.PRELIMINARY`` is the same on a
#: page that adds draws.
ONE_DRAW = "{runs:count run}, 1 data draw"
ONE_DRAW_HELP = (
    "Another data draw has different images and different rare classes. The mean of"
    " {draws:count data_draw} on other pages can differ."
)
UNTESTED_NOTE = "no test images"
GUESS = "Attacker's best guess"
GUESS_NOTE = "chance 50%"
#: Added to the help of the guess.
#: Help by the subject of the guess.
GUESS_HELP = {
    "image": (
        "Probability that the best possible attacker guesses correctly whether your image was used."
        " Chance is 50%."
    ),
    "person": (
        "Probability that the best possible attacker guesses correctly whether your images were"
        " used. Chance is 50%."
    ),
    "replaced_image": (
        "Probability that the best possible attacker guesses correctly which of two images of a"
        " class was used. Chance is 50%."
    ),
    "replaced_person": (
        "Probability that the best possible attacker guesses correctly which of two people took"
        " part. Chance is 50%."
    ),
}
TABS = {
    "compare": "Compare",
    "table": "Table and code",
    "about": "About the numbers",
}
SECTION_TABLE, SECTION_CSV = "Table and CSV", "Table"
