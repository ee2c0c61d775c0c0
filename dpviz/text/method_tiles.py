"""Texts of the tiles that the pages of one method share."""

#: What an accuracy counts, by score: label of the tile.
ACCURACY = {
    "digits": "Rare digits",
    "minority": "Rare classes",
    "equal": "Rare classes",
    "balanced": "All classes",
    "overall": "All images",
}
ACCURACY_HELP = {
    "digits": "Accuracy on the smallest quarter of the classes ({classes:list}).",
    "minority": "Accuracy on the smallest quarter of the classes ({classes:list}).",
    "equal": "All classes have the same size. This score counts a quarter of the classes.",
    "balanced": "Mean accuracy over classes.",
    "overall": "Share of all test images that are classified correctly.",
}
#: The same inside a caption.
GROUPS = {
    "minority": "rare classes",
    "equal": "a quarter of the classes",
    "balanced": "mean over classes",
    "overall": "all test images",
}
ACCURACY_NOTE = "{quiet:percent} without noise"
UNTESTED_NOTE = "no test images"
GUESS = "Attacker's best guess"
GUESS_NOTE = "chance 50%"
#: Help by what the guess is about.
GUESS_HELP = {
    "image": (
        "Probability that the best possible attacker guesses correctly whether your image was used,"
        " starting from 50%."
    ),
    "person": (
        "Probability that the best possible attacker guesses correctly whether your images were"
        " used, starting from 50%."
    ),
    "replaced_image": (
        "Probability that the best possible attacker guesses correctly which of two images of a"
        " class was used, starting from 50%."
    ),
    "replaced_person": (
        "Probability that the best possible attacker guesses correctly which of two persons took"
        " part, starting from 50%."
    ),
}
PUBLIC = "Public images only"
PUBLIC_NOTE = "no private data"
PENDING, PENDING_NOTE = "…", "computing"
PUBLIC_HELP = "Accuracy without any private data, using all public labels."
SECTION_TABLE, SECTION_CSV = "Table and CSV", "Table"
