"""Texts of the charts: axis titles, legend names, notes, and each chart in words."""

from dpviz.text.template import Text

#: Budget axis, by axis key.
BUDGET_AXES = {
    "approx": "Privacy budget ε (δ = {delta:number}, log scale)",
    "pure": "Privacy budget ε (log scale)",
    "guess": "Attacker's best guess (%, log scale)",
    "zcdp": "Privacy budget ρ (zCDP, log scale)",
    "paper": "Privacy budget ε = √(2ρ) (log scale)",
}

#: Accuracy axis, by metric.
ACCURACY_AXES = {
    "minority": "Accuracy on rare classes (%)",
    "balanced": "Mean accuracy over classes (%)",
    "overall": "Accuracy on all test images (%)",
}

#: Other axes: percent axes carry the sign in their title, other axes their unit or symbol.
AXES = {
    "accuracy": "Accuracy (%)",
    "answers": "Answers",
    "area": "Area under the ROC curve (AUC)",
    "boost": "Performance boost, log scale",
    "canaries": "Canaries in one release, with seconds below (log scale)",
    "claims": "Experiments",
    "statements": "Statements",
    "class": "Class, largest first",
    "class_answers": "Share of the class's queries (%)",
    "class_images": "Class and its images, largest first",
    "class_units": "Class and its {units}, largest first",
    "coordinates": "Pooled coordinates k, log scale",
    "cosine": "Cosine similarity of two images",
    "dimension": "Dimension p, log scale",
    "delta": "δ, log scale",
    "epsilon": "Privacy loss ε",
    "epsilon_at": "Privacy loss ε (δ = {delta:number_up})",
    "epsilon_bound": "Lower bound on ε",
    "epsilon_bound_at": "Lower bound on ε (δ = {delta:number_up})",
    "epsilon_independent": "Data-independent ε, log scale",
    "error_parts": "Test error by cause (%)",
    "expected": "Expected correct answers (%)",
    "feature_shift": "Feature shift β, log scale",
    "fit_images": "Training images per class, log scale",
    "fpr": "False positive rate (%)",
    "fpr_log": "False positive rate (%), log scale",
    "gain": "True positives beyond chance (%), log scale",
    "half_width": "Half-width of the 95% interval (% of the class)",
    "honesty": "Answers recorded unchanged (%)",
    "image_loss": "{symbol} per {unit}",
    "images": "Images",
    "images_needed": "Images n, log scale",
    "images_per_class": "Images per class, log scale",
    "images_per_person": "Images per person",
    "images_of_people": "Images per person, with the number of people below",
    "importance": "Importance (PED-ANOVA)",
    "loss": "Privacy loss {symbol} per {unit}",
    "losses_sorted": "Share of {units} (%), highest loss first",
    "misses": "False negative rate (%)",
    "noise_ratio": "Noise ÷ signal, log scale",
    "number": "Number",
    "pairs": "Pairs (%)",
    "people": "People",
    "people_yes": "People who say yes, of {people}",
    "person_loss": "Privacy loss ε′ per person, log scale",
    "person_right": "Person's own images classified correctly (%)",
    "prior": "Attacker's prior (%)",
    "person_images": "Images of the same person in the data (log scale)",
    "prior_guess": "Attacker's best guess (%)",
    "probability": "Selection probability, log scale",
    "probability_of_answer": "Probability of an answer (%)",
    "queries": "Queries",
    "queries_asked": "Queries",
    "race_accuracy": "Accuracy",
    "race_guess": "Attacker's best guess (chance 50%)",
    "rank": "Rank of the public image, log scale",
    "releases": "Releases per data set, log scale",
    "right_answers": "Correct answers (%)",
    "right_people": "People who answer correctly (%)",
    "score": "Score (1 + cosine)",
    "shift": "Distance (shift β)",
    "shift_plain": "Distance from class mean",
    "shift_image": "Shift β per image",
    "shots": "Public examples per class",
    "step": "Step",
    "tpr": "True positive rate (%)",
    "tpr_log": "True positive rate (%), log scale",
    "trial": "Trial",
    "value": "Value",
    "two_classes": "Cosine",
    "votes": "Votes",
    "winner_votes": "Votes for the winning class",
    "yes": "Share of yes answers (%)",
}

#: Captions.
CAPTIONS = {
    "coinpress": "Step {step}: noise length {noise}, distance to the exact mean {truth}. New error:"
    " {error}.",
    "coinpress_outside": "Step {step}: noise length {noise} (outside the view), distance to the"
    " exact mean {truth}. New error: {error}.",
    "band_seeds": "Shaded: 95% band ({title}, {seeds:count run}).",
    "band_draws": "Shaded: 95% band ({title}, {draws:count data_draw}). All methods"
    " use the same draws.",
    "other_bands": "Select another line to see its band.",
    "same_data": "All lines use the same data, split and test set.",
    "same_draws": "All methods use the same data in each draw.",
}

#: Names of methods of the AdaMix paper in charts, where they differ from the paper's.
ERROR_LINES = {
    "Only-Public": "Public examples only",
    "paragon": "No privacy",
    "Public images alone": "All public images",
}

#: Hover names of lines that a title alone does not explain.
LINE_MEANINGS = {
    "NGD": "NGD, noisy gradient descent",
    "Fully-Private": "Fully-Private, no public examples",
}

#: Legend of the markers of a line, at both levels of detail.
MARKER_KEYS = {
    "better": Text(
        "Clearly better than its {shots:count public_example} per class",
        "Significantly better than its {shots:count public_example} per class",
    ),
    "worse": Text(
        "Clearly worse than its {shots:count public_example} per class",
        "Significantly worse than its {shots:count public_example} per class",
    ),
    "better_alone": Text(
        "Clearly better than its public examples", "Significantly better than its public examples"
    ),
    "worse_alone": Text(
        "Clearly worse than its public examples", "Significantly worse than its public examples"
    ),
    "better_public": Text(
        "Clearly better than all public images", "Significantly better than all public images"
    ),
    "worse_public": Text(
        "Clearly worse than all public images", "Significantly worse than all public images"
    ),
}

#: Legend entries, notes and other labels.
LABELS = {
    "no_result": "No result yet",
    "after_noise": "With noise, σ₂ = {sigma} (star: answer)",
    "any_attack": "Upper bound for any attack (AUC ≤ {area})",
    "any_attack_on": "Upper bound for {methods} (AUC ≤ {area})",
    "area_bound": "Upper bound for any attack",
    "area_bound_on": "Upper bound for {methods}",
    "best_cell": "Best",
    "best_setting": "Best {setting}",
    "best_so_far": "Best so far",
    "with_release": "With the release",
    "without_release": "If nothing is released",
    "boost_equal": "1: same as public examples only",
    "boost_undefined": "× undefined",
    "cause_base": "Exact means of all images",
    "cause_clipping": "Clipping and pooling",
    "cause_noise": "Noise",
    "cause_sampling": "Fewer images",
    "chance": "Chance",
    "map_minority": (
        "<b>{budget:md}, one run, seed {seed:count}</b><br>Rare classes: {right:percent}"
        " in this run, {mean:percent} on average over {runs:count run}"
    ),
    "map_balanced": (
        "<b>{budget:md}, one run, seed {seed:count}</b><br>Mean over classes: {right:percent}"
        " in this run, {mean:percent} on average over {runs:count run}"
    ),
    "map_overall": (
        "<b>{budget:md}, one run, seed {seed:count}</b><br>All test images: {right:percent}"
        " in this run, {mean:percent} on average over {runs:count run}"
    ),
    "class_mean": "Class mean",
    "claim": "Claimed: ε = {epsilon:number_up}",
    "claim_of": "{method}: {symbol} ≤ {epsilon:number_up}",
    "claim_of_all": "Guarantee: {symbol} ≤ {epsilon:number_up}",
    "claim_of_person": "Guarantee per person: ε ≤ {epsilon:number_up}",
    "clean": "Without bug",
    "current": "Current",
    "default": "Default",
    "estimate": "Estimate",
    "estimate_before": "Previous estimate",
    "exact_mean": "Exact mean",
    "faulty": "With bug",
    "frame_corner": "Ideal direction",
    "guarantee": "Guarantee: {words}",
    "ideal": "Uniform selection",
    "images": "Images",
    "lower_bound": "Lower bound",
    "point_estimate": "Estimate (not proven)",
    "noise_bar": "noise in a class mean {noise:number}",
    "nearest_class": "nearest class {distance:number}",
    "median_distance": "<b>{title}</b>, median distance {distance:number}",
    "measure_right": "Accuracy on a person's own images",
    "measure_spent": "Privacy loss",
    "more_columns": "{columns:count column}: swipe →",
    "accuracy_beside": '<b><span style="font-size:{size}px">{noisy}</span></b> linear probe<br>',
    "accuracy_beside_quiet": "{quiet} without noise",
    "panel_accuracy": "<b>Accuracy</b><br>▲ noise, ○ none",
    "panel_cosine": "<b>Similarity</b><br>of two classes",
    "panel_shift": "<b>Distance</b><br>from class mean",
    "no_attack": "Upper bound for any attack",
    "no_attack_on": "Upper bound for {methods}",
    "no_images": "Not computed yet",
    "noise_draw": "Seed {seed:md}: {accuracy:percent}",
    "noise_range": (
        "{draws:count draw}<br>Mean: {mean:percent}<br>95% range: {low:percent} to {high:percent}"
    ),
    "noise_ratio": "Noise ÷ signal",
    "not_tested": "No test images of these classes",
    "no_range": "empty<br>range",
    "not_worse": "Not significantly worse",
    "one_trial": "One trial",
    "winner": "Winner",
    "best_guess": "Attacker's best guess after all trials so far",
    "scores": "{axis}, each trial",
    "gap": "{gap:points}",
    "with_points": "{accuracy:md} ({points:md})",
    "guess_after": "{guess:at_most} after {trials:count trial}",
    "best_trial": "best trial",
    "fresh_noise": "with fresh noise",
    "chance_guess": "chance",
    "run_again": "winner, rerun",
    "default_settings": "default settings",
    "default_and_again": "default; winner, rerun",
    "public_only": "public images alone",
    "public_alone": "Public images alone: {accuracy:percent}",
    "other_classes": "Other classes",
    "private_mean": "Private mean",
    "probability_of_answer": "Probability of an answer",
    "published_slope": "Published slope: {slope}",
    "public_images": "Public images",
    "rare_classes": "Rare classes",
    "rare_right": "Rare classes →",
    "race_epsilon": "ε = {epsilon:number}",
    "race_point": (
        "ε = {epsilon:number}: accuracy {accuracy:percent}, best guess {guess:at_most},"
        " {count:count hospital}"
    ),
    "recorded": "Before correction",
    "rehearsal": "Public data",
    "same_person": "Same person",
    "score_range": "score range {low}–{high}",
    "test_image": "Test image",
    "wrong_image": "Wrong with noise",
    "shift": "Shift ÷ distance to the nearest class",
    "shift_order": "Fewest images first, mean of {runs:count run}",
    "shift_title": "Shift ÷ distance to the nearest class",
    "mean_without_noise": "Mean without noise",
    "noise_way": "Noise",
    "mean_kept": "Private mean",
    "map_note": "2D projection: compare each arrow only with its gray bar",
    "mean_lost": "Shift exceeds distance",
    "nearest_distance": "Nearest-class distance",
    "nearest_tick": "1 = nearest class",
    "test_passes": "Audit tests with 95% intervals",
    "test_violates": "Other violations",
    "test_worst": "Clearest violation",
    "threshold": "Threshold: {threshold} votes",
    "off_scale_up": "up to {end:percent}",
    "off_scale_down": "down to {end:percent}",
    "public_shots": "{shots:count example} per class",
    "answered_below": "{queries:count} answered below",
    "unanswered_above": "{queries:count} unanswered above",
    "refused_above": "Unanswered above",
    "refused_below": "Unanswered below",
    "threshold_noise": "Threshold {threshold}, noise ±{noise}",
    "trade_off": "Guarantee: lower limit for any test",
    "true_curve": "True curve",
    "true_value": "True: {value}{unit}",
    "other_crowds": "{crowds:count other_survey}",
    "most_crowds": "95% of surveys",
    "experiments_tested": "{tested:count} of {every:count experiment} tested",
    "statements_tested": "{tested:count} of {every:count statement} tested",
    "this_crowd": "This survey",
    "true_share": "True share {truth:percent}",
    "two_persons": "Different people",
    "votes": "Votes (true class in color)",
    "waiting": "Waiting",
    "with_noise": "With noise",
    "without_noise": "Without noise",
    "your_people": "Your class of {people}, {way}",
    "people": "{people} people, {way}",
    "curves": "Class",
    "curves_middle": "Median of the class",
    "question_before": "Before",
    "question_after": "After",
}

#: Forms of the audit's bound.
BOUND_FORMS = {"any": "One run, any noise", "gaussian": "One run, Gaussian noise"}
#: A bound from many runs, beside its line.
REPEATED_BOUND = "{runs:count} runs: ε ≥ {bound}, {duration}"

#: What happened to a query of the teachers.
ANSWERS_OF_TEACHERS = {
    "right": "Correct",
    "wrong": "Wrong",
    "unknown": "Answers, true class unknown",
    "refused": "Unanswered",
}
#: Ways to count the privacy loss of the teachers' answers.
COUNTING_WAYS = {
    "independent": "Data-independent, exact",
    "converted": "Data-independent, RDP conversion",
    "sanitised": "Sanitized, with its cost (± 2 SD)",
    "dependent": "Data-dependent, not releasable",
    "expected": "Expected ε as in papers, not releasable",
    "proof": "Published proof, underestimates ε",
}
#: Small charts of ensembles of teachers.
ENSEMBLE_SERIES = {
    "answered": "Queries answered",
    "right": "Correct answers",
    "student": "Student accuracy",
}
#: Printed results of other papers, about other data.
PRINTED_STUDENT = "Published results (other data, not comparable)"

#: Outcomes of a claim's check.
OUTCOMES = {
    "holds": "Holds",
    "holds trivially": "Holds trivially",
    "does not hold": "Fails",
    "does not hold as printed: a misprint": "Misprint",
    "undecided": "Undecided",
    "premise not met here": "Premise not met",
    "not tested here": "Not tested",
}

#: Heads of the table of a class's scores and the probability of its choice.
CHOICE_HEADS = (
    "Class",
    "Images",
    "Scores",
    "Below d_min",
    "Inside",
    "Above d_max",
    "Effective candidates",
    "Probability of the best image",
)
#: Further head of the same table.
OWN_CHOICE_HEAD = "Probability of the right label"
#: Heads of the table of similar public images.
SIMILARITY_HEADS = (
    "Class",
    "Public class of the same name",
    "Best public image",
    "Similarity to its images",
    "Similarity within the class",
)
#: Whether the public set has a class of the same name.
SAME_NAME = {True: "yes", False: "none", None: "no labels"}
#: In place of a similarity within a class.
ONE_IMAGE = "one image"

#: Chart titles of AdaMix's steps.
STEP_PANELS = ("Gradient norms and clip threshold", "Shares", "Signal and noise after projection")

#: Each chart in words, for readers who cannot see it.
ALTS = {
    "guess_by_images": "Line chart: attacker's best guess by the number of a person's images.",
    "guess_by_prior": "Line chart: attacker's best guess by prior, with and without the release.",
    "epsilon_by_delta": "Line chart: privacy loss ε by δ, on a log axis.",
    "accuracy": "Accuracy ({metric}) by privacy budget. Lines: {names}.",
    "noise_draws": "Accuracy ({metric}) of single runs with new noise. Rows: {names}.",
    "study_values": "Value by trial, and the best value so far. Studies: {names:list}.",
    "training_curves": "Accuracy ({metric}) by training step. Lines: {names}.",
    "accuracy_by_class": "Accuracy of {classes:count class classes}, largest first: {names}.",
    "accuracy_by_images": "Accuracy ({metric}) by {unit}. Lines: {names}.",
    "accuracy_by_setting": "Accuracy ({metric}) by {setting}, on a log axis.",
    "accuracy_cells": "Heat map of accuracy ({metric}) by {rows} and {columns}.",
    "accuracy_of_sets": "Bar chart of accuracy ({metric}) by public set: {names}.",
    "accuracy_panels": "{panels:count} small charts of accuracy ({metric}) by privacy budget:"
    " {names}.",
    "accuracy_window": "Heat map of accuracy ({metric}). d_min: {low}. d_max: {high}.",
    "answers": "Answers of the class: {answers}.",
    "answers_by_class": "Share of answered queries by class, largest first. {answers}.",
    "answers_right": "Correct answer: {name}.",
    "answers_true": "True number: {number} {unit}.",
    "area": "Area under the ROC curve by privacy budget, with error bars and upper bounds. Methods:"
    " {names}.",
    "area_by_accuracy": "Area under the ROC curve by accuracy ({metric}), with 95% intervals."
    " Methods: {names}. 0.5 is chance.",
    "best_values": "Best {setting} of {values:count value} at each privacy budget. Bars: values"
    " that are not significantly worse.",
    "boost": "Performance boost by public examples per class, on a log axis. Lines: {names}.",
    "bound": "Lower bound on ε by number of canaries. Lines: {names}.",
    "bound_levels": "The guarantee is dotted. The bound from many runs is dashed.",
    "calibration": "Share of correct answers by confidence, {names} the lessons. Dotted line: the"
    " share equals the confidence.",
    "claims": "Stacked bars of claims by outcome. {rows}.",
    "class_loss": "Privacy loss {symbol} by class, largest first: {names}. Bars: middle 50% and 90%"
    " of {units}.",
    "class_plane": "Images of {names} in the plane of their class means. Stars: ideal directions on"
    " a unit circle.",
    "class_sizes": "Bar chart of images per class, from {high:count} down to {low:count}.",
    "class_sizes_rare": "Rare classes: {names}.",
    "coinpress": "CoinPress by step: {names}. Lines: one per {kind}. Dashed lines diverge.",
    "coinpress_step": "Step {step} of CoinPress: images and exact mean around the estimate."
    " Circles: radius and clip radius.",
    "collapse": "Error of one noisy step by dimension p and feature shift β, on log axes. Curve:"
    " {curve}.",
    "collapse_measured": "Measured shifts: {names}.",
    "cosines": "Heat map of cosines between the centered means of {classes:count class classes}.",
    "crowd": (
        "Share of yes answers by share of recorded answers that are people's own, {low}% to"
        " {high}%. The true share is {truth:percent}."
    ),
    "crowd_band": "The 95% band widens as privacy gets stronger. Dots: {crowds:count more_survey}.",
    "curves": "{curves:count curve} of the class: {y} by {x}.",
    "curves_middle": "Median: {values}.",
    "curves_true": "True curve: {values}.",
    "epsilon_growth": "Privacy loss ε (δ = {delta:number_up}) by query, 1 to {queries:count}. Final"
    " values: {ends}.",
    "error_lines": "{measure} by {setting}, {scale}. Lines: {names}.",
    "error_parts": "Stacked bars of test error by cause for {classes:count class classes}, largest"
    " first: {names}.",
    "estimate": "About {count} of {people} people say yes. 95% interval: {low} to {high}.",
    "exposed": "Private images that the attack finds most often",
    "fault": "Mean accuracy over classes for the correct method and with the bug “{mistake}”."
    " Dots: one seed each.",
    "forms": "Mean accuracy and accuracy on rare classes, with 95% intervals: {names}.",
    "gains": "True positives beyond chance at a false positive rate of 1%, by images per class."
    " Methods: {names}.",
    "gains_slope": "The published slope is dotted.",
    "images_by_person": "Bar chart of people by images per person: {bars}.",
    "images_of_person": "{measure} by images per person, for guarantees {names}.",
    "likeness": "Histograms of the cosine similarity of two images of one class, from {low} to 1."
    " Lines: same person, different people.",
    "loss_cards": "Selected private images with their privacy loss",
    "loss_histogram": "Histogram of privacy loss {symbol} per {unit} for {method}. Upward bars:"
    " {first}. Downward bars: {second}.",
    "losses": "Privacy loss {symbol} per {unit}, highest first: {names}. Upper line: worst case"
    " that the guarantee allows.",
    "low_fpr": "True positive rate of {attack} by false positive rate, on log axes. Methods:"
    " {names}.",
    "means": "Map of {points:count test_image} and {classes:count class_mean}. Arrows lead from"
    " exact to private means. Crosses: misclassified images.",
    "means_and_shifts": "Map of {points:count test_image} and {classes:count class_mean}. Arrows"
    " lead from exact to private means. A mark across an arrow: distance to the nearest class."
    " Crosses: misclassified images. Bars: shift of each mean ÷ distance to the nearest class.",
    "neighbors": "Map of {points:count public_image} and the means of {classes:count class"
    " classes}. Lines join exact and private means.",
    "needed": "Images needed for a target error by dimension p, on log axes. Lines: {names}.",
    "preset_bars": "Bar chart of accuracy ({metric}): {names}.",
    "preset_sets": "Public sets: {names}.",
    "presets": "Accuracy ({metric}) by privacy budget, on a log axis. Lines: {names}.",
    "parallel": "Parallel coordinates with one line per setting: {names}. Last axes: {metrics}.",
    "pooling": "Top: accuracy by k_pool from {low} to {high}, with and without noise. Bottom:"
    " noise divided by signal.",
    "precision": "Half-width of the 95% interval by ε per answer, for {names} people. Lines: coins"
    " on phones, trusted server.",
    "probability": "Selection probability by rank of {images:count public_image}, on log axes, for"
    " {classes:count class classes}. Dashed: rare classes.",
    "progress": "Lower bound on ε by releases per data set, with its interval. A bound above the"
    " line violates the guarantee.",
    "question_gains": "Share of correct answers from {people:count person people}, before and after"
    " the lessons, for {questions:count question}.",
    "race": "Accuracy by attacker's best guess, with one circle per ε. {points}.",
    "query": "Votes of {teachers:count teacher} on one query. Most votes: {votes} for {name}."
    " {outcome}.",
    "query_answered": "Answer: {name}",
    "query_refused": "Not answered",
    "reproduced": "{y} by {x}. Lines: {names}.",
    "reproduced_printed": "Open markers on dotted lines: published numbers.",
    "roc": "ROC curve of the attack: true positive rate by false positive rate. Methods: {names}.",
    "roc_bounds": "Upper bounds follow from the guarantee. Dotted: chance.",
    "scores": "Histogram of scores (1 + cosine) from 0 to 2. Lines: d_min and d_max.",
    "selection": "Scores of each class and the selection probability of its best image",
    "shift_quantiles": "Shift β per image for {classes:count class classes}: median, middle 50% and"
    " 90%.",
    "shifts": "For each type of features ({names}): shift per image, cosine of two classes,"
    " accuracy with and without noise.",
    "similarity": "Similarity of each class to its best public image",
    "sizes": "Images per class, largest class first: {sizes}.",
    "small_ensembles": "Small charts from 0 to 100%. {panels}.",
    "paired_dots": "Accuracy ({metric}) with a guarantee per image and per person, by number of"
    " images per person. Method: {name}.",
    "steps": "{steps:count step} of one run. Panels: gradient norms and clip threshold, shares,"
    " signal and noise.",
    "student": "Student accuracy by ε, on a log axis. Lines: {names}.",
    "student_printed": "Hollow gray marks: published results on other data.",
    "tile": (
        "{place}: public image {row}; {accuracy} of the images of this class are recognized"
        " correctly"
    ),
    "tile_labeled": (
        "{place}: public image {row}, labeled {name}; {accuracy} of the images of this class are"
        " recognized correctly"
    ),
    "trade_off": "False negative rate by false positive rate of each audit test, with its 95%"
    " region. A region below the curve violates the guarantee.",
    "trials": (
        "Attacker's best guess by number of trials. Accuracy ({metric}) by trial, in order. Line:"
        " best so far. Arrow: the winner, rerun."
    ),
    "vote_histogram": "Histogram of votes for the winning class: {queries:count query queries},"
    " {teachers:count teacher}, {threshold}. {counts}.",
}
