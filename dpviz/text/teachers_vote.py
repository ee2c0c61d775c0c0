"""Texts of the PATE page (address ``teachers-vote``)."""

from dpviz.text.template import Text

TITLE = "How many queries do the teachers answer?"

#: The answer, by case; the first that applies is shown.
ANSWERS = {
    "unreached": Text(
        "No class gets more than **{most:count}** votes, which is below the threshold T ="
        " {threshold:number}. Any answer here is due to noise. Lower T.",
        "No class gets more than **{most:count}** votes, which is below the threshold T ="
        " {threshold:number}. Every answer at {budget:md} passed the test only because of noise.",
    ),
    "none": Text(
        "The teachers answer none of the {asked:count query queries}.",
        "At {budget:md}, the teachers answer none of the {asked:count query queries}.",
    ),
    "known": Text(
        "Teachers (models trained on separate images) answer **{count:count} of {asked:count}**"
        " queries. **{correct:count}** answers are correct.",
        "At {budget:md}, the teachers answer **{answered:percent}** of the queries,"
        " **{right:percent}** of these correctly.",
    ),
    "partly": Text(
        "The teachers answer **{count:count} of {asked:count}** queries. **{correct:count}** of"
        " {known:count} answers with a known class are correct.",
        "At {budget:md}, the teachers answer **{answered:percent}** of the queries,"
        " **{right:percent}** of these correctly where the class is known.",
    ),
    "unknown": Text(
        "The teachers answer **{count:count} of {asked:count}** queries.",
        "At {budget:md}, the teachers answer **{answered:percent}** of the queries. No true class"
        " is known.",
    ),
}
#: Added: what the answers are worth, by the comparison of a student of these answers with public
#: images alone, both on test images.
STUDENT_ALONE = {
    "worse": "Training on public images alone does better.",
    "level": "Training on public images alone does about as well.",
    "better": "A student trained on these answers beats public images alone.",
}
PER_PERSON = "{budget:md} per person"

# -------------------------------------------------------------------------------------------- tiles

TILE_ANSWERS = "Answered queries"
TILE_ANSWERS_VALUE = "{answered:count} of {asked:count}"
TILE_ANSWERS_NOTE = "{right:count} correct"
TILE_ANSWERS_NOTE_PARTLY = "{right:count} of {known:count} correct"
TILE_ANSWERS_NOTE_UNKNOWN = "true classes unknown"
TILE_ANSWERS_HELP = (
    "The teachers label public images by a noisy vote. Confident-GNMax does not answer a query if"
    " too few teachers agree."
)
TILE_STUDENT = "Student's accuracy"
TILE_STUDENT_NOTE = "trained on these answers"
TILE_STUDENT_NONE, NO_STUDENT = "no answers", "–"
TILE_STUDENT_HELP = (
    "Test accuracy of a model trained on these answers. The average teacher, trained on"
    " {images:count private_image}, has {teacher:percent}. The Student tab gives the mean over"
    " several runs."
)
TILE_GUESS = "Attacker's best guess"
TILE_GUESS_NOTE = "ε = {epsilon:md}, chance 50%"
TILE_GUESS_HELP = (
    "Largest probability, over all attacks, of guessing correctly whether one image was used. It"
    " holds for any votes, with every query counted as answered."
)
TILE_PUBLIC = "Public images alone"
TILE_PUBLIC_NOTE = "test accuracy"
TILE_PUBLIC_HELP = (
    "Test accuracy of a classifier trained on all labeled public images. It uses no private data."
    " Queries are among its training images, so compare it with the student, not with the answers."
)

# --------------------------------------------------------------------------------------- main chart

#: The finding above the chart: queries whose result the noise of the test decides.
CHART_TITLES = {
    "both": (
        "Noise blurs the threshold: {below:count} answered below it, {above:count} unanswered above"
    ),
    "below": "Noise blurs the threshold: {below:count query queries} answered below it",
    "above": "Noise blurs the threshold: {above:count query queries} unanswered above it",
    "neither": "Noise changes no result: queries are answered if they reach the threshold",
    "all": "Every query is answered, however few teachers agree",
}
#: Below the chart: answered queries, by agreement of the teachers.
ANSWERED_BY_SIDE = {
    "both": (
        "Answered: {above:count} of {high:count query queries} above the threshold, {below:count}"
        " of {low:count} below."
    ),
    "above": "Answered: {above:count} of {high:count query queries}, all above the threshold.",
    "below": "Answered: {below:count} of {low:count query queries}, all below the threshold.",
    "all": "",
}
#: Below the chart: how often answers are correct, by agreement of the teachers.
CORRECT_BY_SIDE = {
    "both": "Correct: {above:percent} of the answers above the threshold, {below:percent} below.",
    "both_unclear": (
        "Correct: {above:percent} of the answers above the threshold, {below:percent} below."
        " The difference is not clear."
    ),
    "above": "Correct: {above:percent} of the answers above the threshold.",
    "below": "Correct: {below:percent} of the answers below the threshold.",
    "majority": "Correct: {above:percent} of the answers with a majority, {below:percent} without.",
    "majority_unclear": (
        "Correct: {above:percent} of the answers with a majority, {below:percent} without."
        " The difference is not clear."
    ),
    "unknown": "",
}
CAPTION = Text(
    "Queries: public images to label. Select a bar to see a query.",
    "Bars: queries by votes for the winning class, noise seed {seed:count}. Select a bar to see one"
    " of its queries.",
)
CAPTION_TEST = Text(
    "Queries: public images to label. Select a bar to see a query.",
    "Bars: queries by votes for the winning class, noise seed {seed:count}. Bracket: T ± σ₁, one"
    " standard deviation of the test noise. Select a bar to see one of its queries.",
)
#: Ends of the slider of the vote noise.
NOISE_ENDS = ("more noise,<br>more private", "less noise,<br>more accurate")
FEWER = "Available as queries: {available:count public_image}, fewer than chosen."

# --------------------------------------------------------------------------------------------- tabs

TABS = {
    "cards": "Guarantee",
    "query": "One query",
    "classes": "Rare classes",
    "growth": "ε by query",
    "students": "Student",
    "table": "Table and code",
    "about": "About the numbers",
}
STUDENT_VIEWS = {
    "learned": "This setting",
    "tables": "Tables of the paper",
    "student": "Other methods",
}
VIEW = "View"

# ---------------------------------------------------------------------------------------- guarantee

CAP = (
    "All {asked:count query queries} count as answered. With a limit of {answered:count answer} set"
    " beforehand, ε would be {epsilon:number_up} and the attacker's best guess {guess:at_most}."
)
SHARDS = "A hash of each image's content selects its teacher."
SHARDS_PERSON = (
    "All images of a person belong to one teacher. The smallest hash of their contents selects it."
    " So a person changes one vote per query."
)
SPENT = "Privacy cost"
SPENT_ROWS = {"basis": "counted", "noise": "noise", "tests": "tests", "answers": "answers"}
SPENT_BASIS = "only {answered:count answer}, as with a limit set beforehand"
SPENT_BASIS_ALL = "all {asked:count query queries}, as in the guarantee"
SPENT_NOISE_TEST = "T = {threshold:number}, σ₁ = {sigma1:number}, σ₂ = {sigma2:number} votes"
SPENT_NOISE = "σ₂ = {sigma2:number} votes, no test"
SPENT_TESTS = "{queries:count}, {share:percent} of ρ"
SPENT_ANSWERS = "{answered:count}, {share:percent} of ρ"
UNDERCOUNT = (
    "The proof in the Prom-PATE paper charges α/2σ₂² per answer and nothing for tests. This"
    " undercounts ρ by **a factor of {ratio:number}**: ε = {charged:number} instead of"
    " {spent:number_up}."
)
UNDERCOUNT_SAME = (
    "The proof in the Prom-PATE paper charges α/2σ₂² per answer and nothing for tests. The cost in"
    " ρ is **nearly the same**: ε = {charged:number} instead of {spent:number_up}."
)
UNDERCOUNT_QUERIES = (
    "If it charged for all {asked:count query queries}, it would undercount ρ by a factor of"
    " {ratio:number}."
)
UNDERCOUNT_QUERIES_SAME = (
    "If it charged for all {asked:count query queries}, the cost would be nearly the same."
)
ENOUGH_QUERIES = "If it charged for all {asked:count query queries}, it would cover the cost here."
UNDERCOUNT_END = (
    "The ε values in the paper come from another accountant, not from this proof. The guarantee"
    " here charges α/σ₂² per answer and every test."
)
GROUPS = "Rare classes"
GROUPS_ROWS = {"rare": "rare classes", "others": "other classes", "images": "images per teacher"}
GROUPS_ANSWERED = "{answered:count} of {asked:count} answered, {right:count} correct"
GROUPS_REFUSED = "{answered:count} of {asked:count} answered"
GROUPS_NONE = "no query"
GROUPS_IMAGES = "{low:count} to {high:count}"
GROUPS_IMAGES_NONE = "{low:count} to {high:count}; {empty:count teacher} without any"

# ---------------------------------------------------------------------------------------- one query

QUERY = "Query, 1 to {total:number}"
QUERY_HELP = (
    "Queries are in the order in which they are asked. Select a bar of the chart to see one of"
    " its queries."
)
NO_THUMBNAIL = "Public record {row:count}. This data set has no images."
THUMBNAIL = "public image {row:count}"
THUMBNAIL_ALT = "public image {row:count}, a query"
#: Title of the view in plain words, by what the query got as its answer.
QUERY_FINDINGS = {
    "refused": "Query {number:count}: not answered",
    "right": "Query {number:count}: answered {label}, correct",
    "wrong": "Query {number:count}: answered {label}, but it is {truth}",
    "unknown": "Query {number:count}: answered {label}",
}
TEST = Text(
    "The winner has {votes:count vote}. The threshold is {threshold:number}, plus or minus noise.",
    "The winner has {votes:count vote}; the noisy test counted **{seen:number}**. With T ="
    " {threshold:number}, the chance of an answer was {chance:percent}.",
)
#: What the query got as its answer.
OUTCOMES = {
    "refused": "The query was **not answered**.",
    "right": "The answer was **{label}**, the correct class.",
    "wrong": "The answer was **{label}**; the true class is {truth}.",
    "unknown": "The answer was **{label}**; the true class is unknown.",
}
COST = Text(
    "This query adds at most **{free:number}** to ε.",
    "This query adds **{free:number}** to ε in the worst case. With these votes it adds"
    " {total:number}: {test:number} for the test and {vote:number} for the answer. Do not release"
    " numbers that depend on the votes.",
)

# ------------------------------------------------------------------------------------- rare classes

CLASSES = (
    "Rare classes: **{answered:count} of {asked:count}** queries answered, {right:count} correctly."
    " Other classes: **{other_answered:count} of {other_asked:count}**, {other_right:count}"
    " correctly."
)
#: Title of the view in plain words.
CLASSES_FINDINGS = {
    "fewer": "Rare classes get fewer correct answers: {rare:percent} vs. {others:percent}",
    "same": "Rare classes get no fewer correct answers: {rare:percent} vs. {others:percent}",
}
CLASSES_FEWER = "Queries of rare classes get fewer correct answers."
CLASSES_SAME = "Here, queries of rare classes do not get fewer correct answers."
CLASSES_NONE = (
    "The queries do not include both rare and other classes. Under **Queries come from**, choose"
    " public images of classes that share a name with a private class."
)
CLASSES_CAPTION = Text(
    "Classes by number of private images. Shaded: rare classes.",
    "Classes by number of private images, rare ones shaded. The true class of a query shows"
    " whether its answer is correct; teachers and students never see it.",
)

# -------------------------------------------------------------------------------------- ε per query

GROWTH = (
    "The guarantee counts all {queries:count query queries} as answered: **ε ="
    " {guarantee:number_up}** for any votes."
)
#: Title and sentence of the view in plain words.
GROWTH_FINDING = "{answered:count answer}: ε = {exact:number_up} if limited beforehand"
GROWTH_UNLIMITED = (
    "Without such a limit, all {queries:count query queries} count as answered: **ε ="
    " {guarantee:number_up}**."
)
#: The ways to count that the chart compares, for the answers that were given.
GROWTH_GIVEN = (
    "With a limit of {answered:count answer} set beforehand, ε would be **{exact:number_up}** for"
    " any votes. The papers' looser conversion gives **{converted:number_up}** for any votes and"
    " {dependent:number_up} for these votes."
)
GROWTH_SANITIZED = (
    "A sanitized version of the count for these votes may be released: **{sanitized:number} ±"
    " {spread:number}**."
)
#: Whether accounting that depends on the votes pays.
GROWTH_VERDICTS = {
    "loses": "Data-dependent accounting gives no lower ε here, even under the same conversion.",
    "exact": (
        "Data-dependent accounting gives a lower ε under the same conversion. The exact count"
        " for any votes is lower still."
    ),
    "pays": "Data-dependent accounting gives a lower ε here, below the exact count.",
}
UNDEFINED = (
    "No sanitized ε is shown. The conditions for smooth sensitivity (C5 and C6 of Papernot et al."
    " 2018) hold at no order for this σ₂."
)
GROWTH_LINES = (
    "Data-independent ε may be released if the number of answers was limited beforehand. Its solid"
    " line is exact for Gaussian noise. The other lines use the papers' conversion; compare them"
    " only with each other. Data-dependent and expected ε may not be released, because they are"
    " computed from private votes."
)
GROWTH_PROOF = (
    "The chart shows the proof in the paper as a charge per answer. As a charge per query, it would"
    " give ε = {epsilon:number_up}."
)
GROWTH_SETTINGS = (
    "One draw of the sanitized ε may be released, at order {order:number} with β = {beta:number}"
    " and σ_s = {sigma:number}. These follow from T, σ₁, σ₂, teachers and queries alone. Its mean"
    " and spread, shown here, may not be released."
)

# ----------------------------------------------------------------------------------------- students

SEES = "Student encoder"
SEES_HELP = (
    "The student may use an encoder other than the teachers', or pixels alone. On pixels,"
    " images are shifted, mirrored and distorted as in FixMatch."
)
SEES_SAME = "Same as teachers"
SEES_PIXELS = "Pixels, from scratch"
LEARNS = "Student training"
LEARNS_HELP = (
    "FixMatch and FreeMatch also learn from queries that were not answered. On features, weak and"
    " strong views only add noise. On pixels, they follow the paper."
)
LEARNS_TITLES = {
    "supervised": "Answers only",
    "fixmatch": "FixMatch, all queries",
    "freematch": "FreeMatch, adaptive thresholds",
}
SCRATCH = "Training"
SCRATCH_TITLES = {"fixmatch": "FixMatch, as in the paper", "supervised": "Answers only"}
OWN_SETTING = "This setting"
STUDENT = (
    "A student trained on **{answers:count answer}** classifies **{accuracy:percent}** of the test"
    " images correctly, at **ε = {epsilon:number_up}** for any votes."
)
#: Title of the view in plain words.
STUDENT_FINDING = "A student reaches {accuracy:percent} accuracy from {answers:count answer}"
STUDENT_SPREAD = (
    "Standard deviation: {sd:number} points over {seeds:count noise_seed}, with"
    " {queries:count query queries} and δ = {delta:number_up}."
)
STUDENT_ONE_SEED = "One noise seed, {queries:count query queries}, δ = {delta:number_up}."
PIXELS_NOTE = (
    "The student trains on the CPU from images of {public}, with the views of FixMatch. That takes"
    " about half a minute per setting, so only this setting is shown."
)
PIXELS_PUBLIC = "the public set"
VARIED_NOTE = "Each chart varies one setting. The ring marks the current setting."
BARS = "Bars: 95% intervals over {seeds:count noise_seed} and the test images."
BARS_ONE = "One noise seed, so no bars."
STUDENT_NOTE = Text(
    "Each point would be a release of its own. Students see public images and released answers"
    " only.",
    "ε counts every query as answered, so changing T alone does not change ε. Each point would be a"
    " release of its own. With more teachers, σ₁ and σ₂ stay the same in votes, and so does ε."
    " Students see public images and released answers only. No test image is among them.",
)
PYTHON = "Code for the same student:"
PRINTED = "Results printed in the Prom-PATE paper"
PRINTED_NOTE = (
    "Hollow gray marks are **from the paper** (Li et al. 2023, Tables 4, 5 and 21). They use other"
    " data, encoders and accountants, mostly data-dependent ones, which may not be released. They"
    " are not comparable with the results here."
)
TABLES_PROMPTS = "Visual prompts (Tables 9 and 11)"
TABLES_PROMPTS_HELP = (
    "{ensembles:count ensemble} of {teachers:count teacher} each. They take minutes on a CPU."
)
TABLES_SCRATCH = "Students on pixels (Tables 2 and 3)"
TABLES_SCRATCH_HELP = "Three students, trained from scratch. They take about a minute."
TABLES_OTHERS = "Other encoders and data sets (Tables 5, 7, 13–20)"
TABLES_OTHERS_HELP = "All that are available. The first run takes minutes."
TABLES_NOTE = (
    "All rows except prompts use the same noise in votes and have the same guarantee. They ask"
    " {queries:count query queries}, or all that exist."
)
TABLES_THRESHOLD = "T is {share:number}% of the teachers."
TABLES_LETTERS = (
    "Table 3: teachers map labels (A, B), are linear (C, D) or train from scratch (E, F). In the"
    " paper, A and B also learn prompts. Students see features (A, C, E) or pixels (B, D, F)."
    " Student training: {training}, one noise seed."
)
TABLES_PROMPTS_NOTE = (
    "Prompts, ratio and mask use {teachers:count teacher} each, with noise scaled to match. That is"
    " too few for a meaningful ε. Compare the answers only."
)
PANELS = {
    "threshold": "Threshold T, % of teachers",
    "sigma1": "Test noise σ₁, % of teachers",
    "sigma2": "Vote noise σ₂, % of teachers",
    "queries": "Queries",
    "teachers": "Teachers",
    "headcounts": "Teachers (Table 6)",
    "kinds": "Teacher training (Tables 3, 10)",
    "learning": "Student training (Tables 18–20)",
    "letters": "Table 3, A to F",
    "encoders": "Source model (Tables 7, 8)",
    "sets": "Data set (Tables 5, 13–20)",
    "ratio": "Rescale ratio (Table 11)",
    "mask": "Mask (Table 9)",
}
KINDS = {
    "linear": "linear",
    "random-map": "random map",
    "fc1": "1 FC",
    "fc2": "2 FC",
    "scratch": "scratch",
}
MASKS = {"frame": "frame", "all": "full image"}
METHODS_COMPARED = Text(
    "Best student ({student}): **{accuracy:percent}** correct. {rival}: **{other:percent}**.",
    "At {budget:md}, the best student ({student}) reaches **{accuracy:percent}** balanced accuracy;"
    " {rival} reaches **{other:percent}**.",
)
OTHERS_TIED = Text(
    "No clear difference: {student} **{accuracy:percent}** correct, {rival} **{other:percent}**.",
    "At {budget:md}, the best student ({student}, **{accuracy:percent}**) and {rival}"
    " (**{other:percent}**) do not differ significantly in balanced accuracy.",
)
OTHERS_NONE = "No results to compare yet."
OTHERS_NOTE = Text(
    "The budget sets the threshold, the noise and the number of queries here. The sidebar does not"
    " set them.",
    "Balanced accuracy on the test set. The budget sets T, σ₁, σ₂ and the number of queries here,"
    " by a rule that uses no votes. The sidebar does not set them.",
)

# ----------------------------------------------------------------------------------- table and code

TABLE_CHART, TABLE_VIEW = "Histogram", "View"

# ----------------------------------------------------------------------------------------- controls

RULE = "Aggregator"
RULES = {"confident": "Confident-GNMax", "gnmax": "GNMax"}
RULE_HELP = (
    "Confident-GNMax first tests, with noise, whether enough teachers agree. If not, the query"
    " is not answered, at low cost. GNMax answers every query."
)
#: By whether the level is precise.
THRESHOLD = {False: "Threshold, % of teachers", True: "Threshold T, % of teachers"}
THRESHOLD_HELP = (
    "A query is answered if its winner has at least this many votes, counted with test noise. A"
    " higher threshold answers fewer queries and spends less privacy."
)
TEST_NOISE = "Test noise σ₁, % of teachers"
TEST_NOISE_HELP = "Costs privacy on every query, answered or not."
VOTE_NOISE = {False: "Vote noise, % of teachers", True: "Vote noise σ₂, % of teachers"}
VOTE_NOISE_HELP = "Costs privacy on every answered query."
QUERIES = "Number of queries"
QUERIES_HELP = (
    "Public images that the teachers label. Each answer costs privacy. The order does not depend on"
    " votes."
)
TEACH = "Teacher training"
#: Short enough for the control.
TEACH_KINDS = {
    "linear": "Linear head (Transfer-PATE)",
    "fc1": "Label mapping, one layer",
    "fc2": "Label mapping, two layers",
    "random-map": "Label mapping, random",
    "scratch": "Small network (plain PATE)",
}
TEACH_HELP = (
    "Model that each teacher trains on its own private images. A linear head uses the features."
    " Label mappings use source scores, as in Prom-PATE without its prompt. Visual prompts are in"
    " the Student tab, because they take minutes."
)
TEACHERS = "Teachers"
TEACHERS_HELP = (
    "More teachers tolerate more noise, but each has fewer images. No image is shared between"
    " teachers."
)
SETTINGS = "More settings"
POOL = "Queries come from"
POOL_HELP = (
    "The class labels of public images decide which images are queried and which answers are"
    " correct. Students do not see them."
)
SEED = "Noise seed"
SEED_HELP = "The same seed draws the same noise for all settings."
