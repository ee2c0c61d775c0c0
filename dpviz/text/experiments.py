"""Tiles that Maps, Sweeps and Tuning share."""

GUESS = "Attacker's best guess"
GUESS_NOTE = "chance 50%"
GUESS_HELP = (
    "Largest success rate of any membership attack, with a prior of 50%. With several methods, the"
    " weakest guarantee counts."
)
NO_GUESS = "no limit"
PUBLIC = "Public images alone"
#: By the sign of its difference from the best private result; None where it is not known.
PUBLIC_NOTES = {
    None: "no private data",
    1: "clearly better",
    0: "no clear difference",
    -1: "clearly worse",
}
PUBLIC_HELP = {
    None: "Accuracy without any private data, using all public labels.",
    1: "Accuracy without any private data. Significantly better than the best private result.",
    0: (
        "Accuracy without any private data. Not significantly different from the best private"
        " result."
    ),
    -1: "Accuracy without any private data. Significantly worse than the best private result.",
}
#: Images that an accuracy counts, by score.
GROUPS = {"minority": "rare classes", "balanced": "all classes", "overall": "all images"}
GROUPS_PLAIN = {
    "minority": "images of rare classes",
    "balanced": "images",
    "overall": "images",
}
RARE_GROUP = "rare classes ({classes:list})"
RARE_GROUP_PLAIN = "images of rare classes ({classes:list})"
