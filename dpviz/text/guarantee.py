"""Texts of a guarantee: its notion, other notions, unit, and the attacker's best guess."""

NOTIONS = {
    "pure": "pure DP, ε = {value:number_up}",
    "zcdp": "zCDP, ρ = {value:number_up}",
    "gdp": "Gaussian DP, μ = {value:number_up}",
    "approx": "(ε, δ)-DP, ε = {value:number_up}",
}
#: Headline of a card in plain mode.
GAINS = {
    "limited": "Attacker's best guess: {guess:at_most}",
    "nearly": "Attacker's best guess: nearly 100%",
    "none": "No limit on what an attacker can learn",
}
SUBJECTS = {
    "image": "whether your image was used",
    "image_in_class": "whether your image or another image of its class was used",
    "person": "whether any of your images was used",
    "person_replaced": "whether your images or another person's were used",
}
GUESS_NOTES = {
    "limited": "Success rate of the best possible attacker who guesses {subject}. Chance is 50%.",
    "none": "Nothing limits how well an attacker can guess {subject}.",
}
RIGHT_AT_MOST = {
    "limited": "at most {guess:at_most} (chance 50%)",
    "nearly": "nearly always right (chance 50%)",
}
#: Why the attacker's best guess depends on the method.
WHY_GUESSES_DIFFER = (
    "Methods with equal ε can have different best guesses. The best guess depends on the whole"
    " privacy curve of a method. ε is one point on this curve."
)
#: Why one choice by the exponential mechanism has a lower best guess than pure DP alone allows.
BOUNDED_RANGE = (
    "The exponential mechanism in {method} has a bounded range. So the best guess is at most"
    " {guess:at_most}, not the {pure:at_most} that pure DP alone allows."
)
#: Last line of the tile of the best guess: the guarantee behind it.
GUESS_BASIS = {
    "one_choice": "exponential mechanism, δ = 0",
    "pure": "pure DP, δ = 0",
    "sampled": "sampled Gaussian noise, δ = {delta:number_up}",
    "gdp": "Gaussian noise, δ = {delta:number_up}",
    "zcdp": "zCDP, δ = {delta:number_up}",
    "approx": "(ε, δ)-DP, δ = {delta:number_up}",
}
ROWS = {
    "guess": "attacker's best guess",
    "approx": "as (ε, δ)-DP",
    "zcdp": "as zCDP",
    "adjacency": "neighboring data sets",
    "unit": "unit",
    "record": "for one record",
    "public": "public",
    "held_aside": "private images made public",
    "steps": "steps",
    "starts": "starts at",
    "defaults": "defaults",
    "source": "source",
    "paper": "in the paper",
}
VALUES = {
    "epsilon": "ε = {epsilon:number_up} at δ = {delta:number_up}",
    "rho": "ρ = {rho:number_up}",
    "paper": "ε = {printed:number}; as pure DP, ε = {pure:number_up}",
    "record": "ε = {epsilon:number_up} at δ = {delta:number_up}, if that record is kept",
    "record_weaker": (
        "ε = {epsilon:number_up} at δ = {delta:number_up}, if that record is kept. This is weaker"
        " than the guarantee per person, because changing one record can turn one person into"
        " another."
    ),
}
ODDS = {
    "plain": "Attacker's best guess: **{guess:at_most}** (chance 50%), from {method}.",
    "plain_none": "Nothing limits an attacker's success ({method}).",
    "precise": "{odds:md} Attacker's best guess: {right:md}. ({method})",
    "precise_none": "{odds:md} ({method})",
}
WEAKEST = "{method}, the weakest guarantee here"
#: The attacker's best guess after the weakest of several guarantees.
GUESS = {
    "limited": (
        "An attacker's guess about {subject} is right at most **{guess:at_most}** of the time"
    ),
    "nearly": "An attacker who guesses {subject} may be right **nearly every time**",
    "none": "Nothing here limits how well an attacker can guess {subject}",
}
