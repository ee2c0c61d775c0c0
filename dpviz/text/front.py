"""Texts of the front page and of its file."""

TITLE = "Can a machine learn without exposing your images?"
INTRO = (
    "Private images vote for one public image per {noun:md}. Differential privacy blurs each vote"
    " with noise."
)
#: One and several of what is recognized, by the name of the data set in the link.
NOUNS = {"digits": "digit", "clothes": "garment"}
SETS = {"digits": "Digits", "clothes": "Clothes"}

# the question, filled in by the browser
ASK = {
    "start": "**Which {noun} fails first?** Select one, then drag the slider left.",
    "guessed": "Your guess: **{guess}**. Now drag left.",
    "seen": "First to fail: **{names}**.",
    "correct": "First to fail: **{names}**. You saw it coming.",
    "wrong": "First to fail: **{names}**. Your guess, {guess}, fails {rank}.",
    "later": "First to fail: **{names}**. Your guess, {guess}, fails {rank}, farther left.",
    "never": "First to fail: **{names}**. Your guess, {guess}, never fails.",
    "reason": "All images are protected equally, but a class with few images cannot outvote the"
    " noise.",
    "play": "▶ Play",
    "stop": "◼ Stop",
    "again": "↺ Again",
    "and": " and ",
    "broken": "not recognized",
    "shows": "represented by this image: {kind}",
    "slider": "From more private to more accurate",
    "deployment": "{title}: {figures}. Protects {unit}.",
}
RANKS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
#: Below the images; the sign is before the kind of an image.
LOOK_ALIKE = "≈ look-alike: a public image of another class won the vote."
MANY_IMAGES, FEW_IMAGES = "many private images", "few private images (rare)"
BROKEN = "✗: recognized less than half as often as without noise."
FIRST_IN_RUNS = "First to fail in {runs:count run}: {counts:md}."
FIRST_COUNT = "{names:md} ({count:count run})"
NONE_BROKEN = "none"
LETTER, DIGIT = "letter {kind:md}", "digit {kind:md}"

# tiles: label, value, note
RARE = "Rare classes ({names:md})"
#: Over data draws, each with rare classes of its own.
RARE_OF_DRAWS = {"digits": "Rare digits recognized", "clothes": "Rare classes recognized"}
RARE_NOTE = "chance {chance:percent}"
GUESS = "Attacker's best guess"
GUESS_NOTE = "chance 50%"
NO_GUARANTEE = "no guarantee"
QUIET = "Without noise"
QUIET_NOTE = "same method"
PUBLIC = "Public images alone"
#: By the sign of the difference of public images alone from the private method.
PUBLIC_NOTES = {
    None: "no private data",
    1: "clearly better than {rare:percent}",
    0: "no clear difference from {rare:percent}",
    -1: "clearly worse than {rare:percent}",
}
UNKNOWN = "–"
#: The tiles as one sentence, for screen readers and the table of the file.
SHORT = "{rare:percent} of rare classes recognized. Attacker's best guess: at most {guess:at_most}."
SHORT_QUIET = "{rare:percent} of rare classes recognized. No guarantee."
EPSILON = "ε = {epsilon:number}"

# below the slider: what the budget means
#: By the sign of public images alone against the private method, as above: where noise costs
#: accuracy, and where it does not.
MEANINGS_LOSS = {
    None: (
        "An attacker who guesses whether your image was used is right at most **{guess:at_most}**"
        " of the time."
        " Noise costs rare classes **{lost:count point}**."
    ),
    1: (
        "An attacker who guesses whether your image was used is right at most **{guess:at_most}**"
        " of the time."
        " Noise costs rare classes **{lost:count point}**. Public images alone do clearly better."
    ),
    0: (
        "An attacker who guesses whether your image was used is right at most **{guess:at_most}**"
        " of the time."
        " Noise costs rare classes **{lost:count point}**. Public images alone do about as well."
    ),
    -1: (
        "An attacker who guesses whether your image was used is right at most **{guess:at_most}**"
        " of the time."
        " Noise costs rare classes **{lost:count point}**. Public images alone do clearly worse."
    ),
}
MEANINGS_NO_LOSS = {
    None: (
        "An attacker who guesses whether your image was used is right at most **{guess:at_most}**"
        " of the time."
        " Noise costs rare classes **nothing**."
    ),
    1: (
        "An attacker who guesses whether your image was used is right at most **{guess:at_most}**"
        " of the time."
        " Noise costs rare classes **nothing**. Public images alone do clearly better."
    ),
    0: (
        "An attacker who guesses whether your image was used is right at most **{guess:at_most}**"
        " of the time."
        " Noise costs rare classes **nothing**. Public images alone do about as well."
    ),
    -1: (
        "An attacker who guesses whether your image was used is right at most **{guess:at_most}**"
        " of the time."
        " Noise costs rare classes **nothing**. Public images alone do clearly worse."
    ),
}
MEANING_QUIET = "Without noise, **nothing limits** what an attacker can learn about your image."
NO_NOISE_END = "no noise"

# below the tiles
RUN_DIFFERS = "Images: one run with {own:percent}. Numbers: {basis:md}."
NO_NOISE = "Without noise every run gives the same images."
SEVERAL_IMAGES = "Images per person"
USED = "Budgets in practice"
HOW_TITLE = "How it works"
MARKS = (
    "Marks show the ε of deployed systems, mostly as quoted by the Differential Privacy"
    " Deployments Registry. Short marks: systems that protect a unit other than one image. A"
    " smaller ε means more privacy. Beyond the slider's range:"
    " {beyond:count deployment}."
)
DEPLOYMENTS = (
    "These values are not comparable with each other or with this chart. The systems protect"
    " different units: a person, a device, a day or an event. Neighbors, δ and repetitions also"
    " differ."
    " If each device adds its own noise, the same ε needs far more noise in total."
)

# how it works
HOW_DATA = (
    "Data: {data:md}. The largest class keeps {largest:count image}, and the smallest"
    " {smallest:count image}. The three smallest classes are rare. An encoder, trained on other"
    " data, turns each image into features. DPPL-Public lets every class choose one public image"
    " with the exponential mechanism. A test image gets the class of the nearest chosen image."
)
HOW_NUMBERS = (
    "Accuracy: mean over the rare classes, {runs:count noise_seed} and {draws:count data_draw}, on"
    " test images. Other draws have different rare classes. Without noise: ε = ∞. Attacker's best"
    " guess: the highest success rate of any attack that starts from 50%, rounded up. It follows"
    " from the guarantee alone."
)
HOW_IMAGES = (
    "Images: the run with seed 0, as a release would publish them. The ✗ marks and the"
    " accuracies use test images. The guarantee covers neither marks nor accuracies."
)
HOW_LIMITS = (
    "The guarantee limits what the release reveals about one image. It does not prevent data"
    " theft, or conclusions about people in general."
)
POSITION = "Here: ε = {epsilon:number}; {accuracy:interval} on rare classes, N = {runs:count}."
POSITION_QUIET = "Here: without noise, {accuracy:percent} on rare classes."
GUARANTEE = "guarantee"
NO_GUARANTEE_ROW = "none"
LINKS = {
    "runs": "All runs",
    "methods": "Other methods",
    "several": "Several images per person",
}
FINDING = "Choosing images…"

#: Ways on.
NEXT = {"learn": "Start a lesson →", "explore": "All settings →", "present": "Present →"}
NOT_KEPT = "The images on the front page are shown, but could not be stored. {error:md}"

# addresses that name no page
UNKNOWN_PAGE = "There is no page “{name}”. This is the front page."
UNKNOWN_PAGE_NEAR = "There is no page “{name}”. Did you mean [{title}](./{address:md})?"

# deployed systems
IN_REGISTRY = "as quoted by the Differential Privacy Deployments Registry"
IN_SOURCE = "as stated in the source"
NOT_STATED = "not stated"
#: Beside the marks of deployments on a slider, and where they are beyond its axis.
#: Name of the row of deployments, by the unit of the chart.
MARKS_KEYS = {
    "picture": "Real deployments: ε may cover a person or a day of data, not one image",
    "person": "Real deployments: may protect a day or an event, not a person",
}
#: Of a deployment whose unit differs from that of the chart.
OTHER_UNIT = "a different unit from this chart"
OTHER_UNIT_VALUE = "{unit} ({note})"
UNKNOWN_DELTA = " at unknown δ"
EVENT = "any two values of one event"
MODELS = {
    "local": "local: each device adds the noise",
    "central": "central: a trusted collector adds the noise",
    "shuffle": "shuffle: devices add noise, and a shuffler mixes the reports",
    "federated": "federated: devices send updates",
    "unknown": "unknown",
}
DEPLOYMENT_ROWS = {
    "guarantee": "Guarantee",
    "unit": "Protects",
    "neighbors": "Neighbors",
    "model": "Trust",
    "source": "Values",
}
