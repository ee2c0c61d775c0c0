"""Texts of the command line: help, results and tables."""

#: Description of the program.
PROGRAM = "Compute the cost of differential privacy on the command line."

#: Description of each command.
COMMANDS = {
    "list": "list methods, data sets, encoders or real deployments",
    "embed": "compute and store the features of a data set",
    "run": "run one method at one privacy budget",
    "release": "write a private release to a file, with noise from system entropy",
    "audit": (
        "audit private methods against their claims; exit status 1 if an audit fails or does"
        " not detect a faulty variant"
    ),
    "certify": (
        "check a built-in or plugin method: sensitivity, noise, release and audits; exit status 1"
        " if a check fails"
    ),
    "attack": "run membership inference attacks on one method",
    "pate": "compute the privacy cost of teacher votes under Confident-GNMax",
    "guarantee": "convert the parameters of a mechanism to ε, ρ, μ and the attacker's best guess",
    "split": "plan a total budget over several releases of the same records",
    "sweep": "run all combinations in a TOML file and write a CSV file",
    "figure": "draw a sweep as a vector figure or as a table for a paper",
    "tune": "tune the settings of a method, and print the privacy cost of tuning",
    "studies": "list the studies in your Optuna storage, or write one as CSV",
    "papers": "check the claims of the five papers",
    "reproduce": "recompute a figure or table of a paper",
    "explorable": "write a page or a lesson as one self-contained HTML file",
    "app": "serve the dashboard",
    "completion": "print a script that completes commands and options in bash or zsh",
}

JSON_HELP = "print JSON"
PLUGIN_HELP = (
    "Python file that defines METHODS, DATASETS or ENCODERS; repeat for several files. The file"
    " runs with your permissions"
)

COMPLETION_HELP = 'shell; for bash add eval "$(dpviz completion bash)" to ~/.bashrc'
QUIET_HELP = "print no progress"
VERBOSE_HELP = "print warnings, and the traceback of an error"
UNKNOWN_COMMAND = "Unknown command {name}.{hint} Commands: {commands}."
UNKNOWN_OPTION = "Unknown option {name}.{hint} See {program} --help."
DID_YOU_MEAN = " Did you mean {name}?"
FIGURE_HELP = {
    "out": "output file: .pdf or .svg for a figure, .tex or .csv for a table",
    "metric": "balanced, minority or overall accuracy (default: balanced)",
    "width": "width of a figure: column or page (default: column)",
}
FIGURE = "{file}: {runs:count run}."
CERTIFY_HELP = {"method": "key of a method, or MODULE:NAME of a Method"}
CERTIFY = {
    "passed": "Passed: {method} ({key}), in all checks and {audits:count audit}.",
    "failed": "Failed: {method} ({key}).",
    "reason": "- {reason}",
    "above": "{event}: the audit found ε ≥ {audited}, above the claimed {claimed}",
    "missed": "{event}: the audit did not detect the faulty variant, so it proves nothing",
}

#: Help of options that several commands share.
SHARED_HELP = {
    "method": "method; see dpviz list methods",
    "budget": "privacy budget, above 0; inf: no privacy",
    "trial_budget": "privacy budget of each trial, above 0; inf: no privacy",
    "axis": "unit of the budget ({axes})",
    "param": "setting of the method; repeat for several settings",
    "delta": "δ of the guarantee, at most {largest} (default: %(default)s)",
}

APP_HELP = {
    "port": "port (default: %(default)s)",
    "address": (
        "address to listen on; 0.0.0.0 lets other computers in, so add --shared (default:"
        " localhost)"
    ),
    "frame_ancestors": (
        "sites that may embed the dashboard: self (default), none, or addresses such as"
        " https://courses.example.org, separated by spaces"
    ),
    "allowed_hosts": (
        "host names of a reverse proxy, such as privacy.example.org or *.example.org (default:"
        " loopback names only)"
    ),
    "shared": "team mode: everyone can see, stop and delete all uploads and sweeps",
    "no_prefetch": "do not precompute likely next settings while the server is idle",
    "room": (
        "let phones on the local network join a live class. ADDRESS selects one network, such as"
        " 192.168.1.5 (default: all)"
    ),
    "room_port": "port of the live class (default: --port + 1)",
}

ATTACK_HELP = {
    "attack": "loss (one threshold for all records), lira, lira-offline or rmia (default: lira)",
    "shadows": "number of shadow models, 8 to 512 (default: 64)",
    "seed": "seed of the first shadow model (default: 0)",
    "gamma": "likelihood-ratio threshold of rmia (default: 1)",
}

AUDIT_HELP = {
    "quick": "use fewer runs",
    "sensitivity": "measure the sensitivity of each query on worst-case neighbors",
    "one_run": "compare one-run audits with 10 to 3,000 canaries to an audit of many runs",
    "method": "audit this method only",
    "budget": "with --one-run or --mistake: budget, finite (default: 8)",
    "axis": "with --one-run or --mistake: unit of the budget ({axes})",
    "delta": "δ, with --one-run or --mistake (default: {delta}), or with --epsilon",
    "mistake": "bug to add to --method; none: no bug. An unknown name lists all bugs",
    "seed": "with --mistake: first noise seed (default: 0)",
    "wild": "audit re-implementations of published bugs, and their fixes",
}

FUNCTION_GROUP = "audit of a custom function"
FUNCTION_HELP = {
    "release_function": (
        "audit a function (data, seed) -> numbers, given as module:name or file.py:name. It runs"
        " with your permissions, in its own process with 4 GiB of memory. Exit status: 0 if the"
        " claim is not violated and the faulty variant is detected. Exit status 2: error. Exit"
        " status 3: claim violated. Exit status 4: claim not violated, but the faulty variant is"
        " not detected."
    ),
    "neighbors": (
        "module:name of a pair of data sets, or of a function that returns a pair. Or two .npy or"
        " .csv files."
    ),
    "neighbors_are": "description of the difference between the data sets",
    "epsilon": "claimed ε; pure DP unless --delta is set",
    "rho": "claimed ρ of zCDP",
    "mu": "claimed μ of GDP",
    "twin": "a faulty variant of the function, which the audit should detect",
    "most": "largest number of releases per data set (default: 20000)",
    "seconds": "time limit in seconds (default: 600)",
}

EXPLORABLE_HELP = {
    "spec": "TOML file that names a page and the settings that become sliders",
    "out": "HTML file to write",
    "embed": "also print an HTML iframe to embed in another page",
}

LIST_HELP = {
    "table": "table to print",
    "file": "deployments: file or folder of the Differential Privacy Deployments Registry (YAML)",
    "unit": "deployments with this unit of privacy only",
    "adjacency": "deployments with these neighbors only",
    "model": "deployments with this model only",
    "trust": "deployments that trust this party only",
}
LIST_DEPLOYMENTS_ONLY = "--{name} needs the table deployments, as in `dpviz list deployments`."

PAPERS_HELP = {
    "paper": "check this paper only; repeat for several",
    "claim": "check this claim only; repeat for several",
    "dataset": "check on this data set only; theory: claims without data",
    "keep": "store the verdicts for the Papers page",
    "stored": "print stored verdicts without running checks",
    "rules": "print the decision rule of each claim, and when it fails",
    "pages": "write all claims as Markdown pages into this folder",
}

SPLIT_HELP = {
    "plans": "TOML files of plans; several are added up, one plan per independent analyst",
    "total": "budget of all releases together",
    "axis": "notion of the total: approx (ε, δ), zcdp (ρ), guess or paper (default: approx)",
    "delta": "δ of every ε (default: 1e-5)",
    "release": "a release and its weight (default weight: 1); repeat for each release",
    "each": "instead of --total: a release and its ε alone (default: 1); repeat for each release",
    "out": "write the plan to this new file",
}
#: After an error about the range of a value.
CHANGE_OPTION = "Change {option}."
GUARANTEE_HELP = {
    "sigma": "DP-SGD or Gaussian noise: noise multiplier, standard deviation over sensitivity",
    "sample_rate": "probability that a record is in a step, by Poisson sampling (default: 1)",
    "steps": "number of steps or releases (default: 1)",
    "laplace_scale": "Laplace noise: scale over sensitivity",
    "exponential": "exponential mechanism with a monotone utility: ε of one choice",
    "queries": "PATE: queries asked; needs --answered and --sigma2",
    "answered": "PATE: maximum number of answers",
    "sigma1": "PATE: standard deviation of the threshold test in votes (default: answer all)",
    "sigma2": "PATE: standard deviation of the noise of the votes",
    "epsilon": "published guarantee: ε; pure DP unless --delta is set",
    "rho": "published guarantee: ρ of zCDP",
    "mu": "published guarantee: μ of Gaussian DP",
    "config": (
        "file with a configuration of Opacus, TensorFlow Privacy, jax_privacy or OpenDP; - reads"
        " standard input. Nothing in it is executed"
    ),
    "delta": "δ; required except for pure DP and for a configuration that states it",
    "prior": "attacker's prior that the record was used (default: 0.5)",
    "images": "images per person; above 1, the guarantee is per person (default: 1)",
    "compare": "also print ε by autodp, dp_accounting and OpenDP",
    "registry": (
        "also write a draft entry of the Differential Privacy Deployments Registry to this new"
        " FILE.yaml; needs --product-type"
    ),
    "product_type": "with --registry: what is published, such as 'Machine learning model'",
}

PATE_HELP = {
    "votes": "FILE.npz with an array votes (queries x classes) of teacher counts",
    "threshold": "answer only if the noisy top count reaches this value; needs --sigma1 (default:"
    " answer all)",
    "sigma1": "standard deviation of the noise of the threshold test, in votes",
    "sigma2": "standard deviation of the noise of the counts, in votes",
    "queries": "use the first N rows only",
    "no_sanitize": "skip the sanitized ε, which is slow",
}

RELEASE_HELP = {
    "out": "FILE.npz to write; must not exist",
    "json": "print the card as JSON",
    "registry": (
        "also write a draft entry of the Differential Privacy Deployments Registry to this new"
        " FILE.yaml"
    ),
}

REPRODUCE_HELP = {
    "figure": "a name from --list",
    "list": "list all figures and tables of the papers",
    "scale": (
        "full: data, encoder and budgets of the paper; small: bundled data, no network (default:"
        " %(default)s)"
    ),
    "encoder": "use another encoder, such as timm:NAME@FILE with local weights",
    "out": "folder for the files (default: current folder)",
}

RUN_HELP = {
    "seed": "first noise seed (default: %(default)s)",
    "seeds": "number of noise seeds; prints a confidence interval (default: 1)",
    "draws": "number of data draws, starting at --draw; the interval covers them (default: 1)",
}

SWEEP_HELP = {
    "spec": "TOML file of the sweep",
    "out": "CSV file to write",
    "strict": "exit with status 2 if any cell is invalid (default: skip invalid cells)",
    "name": "title on the Sweeps page (default: name of the TOML file)",
    "with": "CSV file of external results to add, marked with their source",
    "results": "also write all private results in the format of --with",
    "scheduler": "Dask scheduler, such as tcp://10.0.0.1:8786; local: a cluster on this machine",
    "draws": "number of data draws; overrides the file",
    "workers": "worker processes of the local cluster (default: one per core)",
}

TUNE_HELP = {
    "fairly": (
        "tune all methods, or --method, with equal effort on the labeled public set, at no privacy"
        " cost"
    ),
    "largest": (
        "with --fairly: estimate of the largest class size (default: 4 times its number of test"
        " records)"
    ),
    "trials": "number of trials; with --count, its mean (default: 20)",
    "metric": (
        "accuracy to maximize: balanced, overall or minority (minority: private view, and no"
        " selection theorem applies; default: balanced)"
    ),
    "sampler": "tpe, or random, which the selection theorems require (default: tpe)",
    "count": (
        "distribution of the number of trials: fixed, geometric, logarithmic or poisson (default:"
        " fixed)"
    ),
    "only": "setting to tune; repeat for several (default: all)",
    "seed": "seed of settings, noise and number of trials, 0 to 3999 (default: 0)",
}

# ------------------------------------------------------------------------------------------ results

#: Before numbers that are computed from private data without noise.
PRIVATE_VIEW = "Private view, not covered by the guarantee"
NOTE = "note: {text}"
#: Purpose of simulated results, as JSON value and as sentence.
REPLAY = "simulated with a fixed seed; not a private release"
REPLAY_SENTENCE = "Simulated with a fixed seed; not a private release."

#: Lines of ``run``, and the last lines of ``attack`` and ``sweep``.
RUN = {
    "result": "{method} at {budget}, {data}, seed {seed}: {accuracy} balanced accuracy.",
    "guarantee": "Guarantee: ε = {epsilon} at δ = {delta} (ρ = {rho}).",
    "record": "For one record: ε = {epsilon}.",
    "unit": "Neighbors: {adjacency}. Unit: {unit}.",
    "public": "Public: {public}.",
    "starts": "The guarantee starts {starts}.",
    "defaults": "Default settings: {defaults}.",
    "private": PRIVATE_VIEW + ": {minority} minority accuracy; {ratio}.",
    "untested": PRIVATE_VIEW + ": minority accuracy untested (no test records); {ratio}.",
}
#: Lines of several runs of one setting.
REPEATED = {
    "head": "{method} at {budget}, {data}, {draws:count data_draw} and {seeds:count noise_seed}:",
    "balanced": "{accuracy} balanced accuracy (95% interval).",
    "private": PRIVATE_VIEW + ": {minority} minority accuracy (95% interval); {ratio}.",
    "one_seed": "{mean} (spread unknown: one noise seed)",
}
#: Public data alone against the best private method.
PUBLIC = {
    "more": (
        "Public images alone, {data}: {public} balanced accuracy. {method} at {budget} is"
        " significantly worse: {private} (public images alone: {points})."
    ),
    "less": (
        "Public images alone, {data}: {public} balanced accuracy. {method} at {budget} is"
        " significantly better: {private} (public images alone: {points})."
    ),
    "level": (
        "Public images alone, {data}: {public} balanced accuracy. {method} at {budget} is not"
        " significantly different: {private} (public images alone: {points})."
    ),
    "single": (
        "Public images alone, {data}: {public} balanced accuracy. {method} at {budget}: {private}"
        " (public images alone: {points}). Spread unknown from one run."
    ),
    "rest": "Public images alone: {rest:count more_data_setting} not compared.",
}

ATTACK = {
    "head": PRIVATE_VIEW + ".",
    "title": "{attack} on {method} with {shadows:count shadow_model} and {judged:count target}.",
    "within": "TPR {tpr} at {fpr} FPR; the guarantee allows at most {limit}.",
    "above": "TPR {tpr} at {fpr} FPR, significantly above the guarantee's limit of {limit}.",
    "unlimited": "TPR {tpr} at {fpr} FPR; no guarantee limits other attacks.",
    "few": "TPR at {fpr} FPR unknown: too few records. Use more records or more shadow models.",
    "interval": "TPR: true positive rate with 95% interval. FPR: false positive rate.",
}

GUARANTEE = {
    "epsilon": "Guarantee: ε = {epsilon:number_up} at δ = {delta:number_up}.",
    "pure": "Pure DP: ε = {epsilon:number_up} at δ = 0.",
    "guess": "Attacker's best guess: {guess:at_most}, with prior {prior:in_full}.",
    "reading": "Neighbors: {adjacency}. Unit: {unit}.",
    "assumption": "Assumption: {text}.",
    "read": "Read from the file: {values}.",
    "other": "{library} {version}: ε = {epsilon:number_up} at δ = {delta:number_up}.",
    "no_other": "{library} {version}: {reason}.",
    "no_library": "{library}: {reason}.",
}

EMBED = {
    "records": (
        "{dataset}, encoder {encoder}: {private:count} private, {test:count} test and"
        " {public:count} public records."
    ),
    "features": "Features per record: {features:count}.",
    "held_aside": "{text}.",
    "refused": "Skipped file {name}: {reason}",
    "more_refused": "Skipped {rest:count more_file}.",
}

RELEASE = {
    "proved": "{file}: {method}, proved ({notion}, value {value}).",
    "unverified": "{file}: {method}, not verified ({notion}, value {value}).",
    "guarantee": "Guarantee: ε = {epsilon} at δ = {delta} (ρ = {rho}).",
    "assumed": "Assumptions:",
    "assumption": "- {text}",
}

#: Below results that include accuracies of the rare classes.
RARE_CLASSES = (
    "Private view: minority accuracies are not covered by a guarantee. Private class sizes define"
    " the minority."
)

REPRODUCE = {
    "missing": "Left out: {text}",
    "written": "{computed:count} computed and {printed:count} published numbers written to:",
}

PAPERS = {
    "verdict": "{claim} on {ground}: {outcome} ({seconds} s). {reason}",
    "premise": "Premise {key}: {text} Source: {source}",
    "claim": "{claim}: {text}",
    "rule": "Rule: {text}",
}
#: When a claim fails, by the direction of its rule, or by how the rule is decided.
CLAIM_FAILS = {
    "higher": "The claim fails if the compared number is significantly lower in any comparison.",
    "lower": "The claim fails if the compared number is significantly higher in any comparison.",
    "as the claim says": "The claim fails if any comparison significantly contradicts it.",
    "as printed": "The claim fails if the computed numbers contradict the statement as printed.",
    "a measurement, because the paper states no limit": (
        "The claim cannot fail, because the paper states no limit."
    ),
    "other": "The claim fails if the runs significantly contradict this condition: {direction}.",
    "exact": "The claim fails if the computed numbers contradict this condition: {direction}.",
}

SWEEP = {
    "skipped_reason": "Skipped {cells:count invalid_cell}: {reason}",
    "more_reasons": "Skipped cells for {rest:count more_reason}.",
    "more_settings": "{rest:count more_setting} in the file.",
    "written": "{results:count result} written to {file} ({purpose}).",
    "written_skipped": (
        "{results:count result} written to {file} ({purpose}); {cells:count invalid_cell} skipped."
    ),
}

TUNE = {
    "fair": "Balanced accuracy on {public} (validation part), {trials:count trial} per method.",
    "fair_cost": "No private data were read. Features: {features}.",
    "fair_row": "{method}: {settings} ({score}; defaults {default})",
    "original_features": "not changed",
    "defaults": "defaults",
}

LIST_ROW = "{key} {title}"
LIST_ROW_STATE = "{key} {title} ({state})"

PROGRESS = {
    "known": "{stage}: {done} of {total}",
    "timed": "{stage}: {done} of {total}, about {left} left",
    "sanitizing": "Sanitizing",
    "audited": "Audit finished",
    "releases": "Releases per data set",
}

# ------------------------------------------------------------------------------------------- audits

FAILED = "Failed: {text}."
FAILED_COUNT = "{failed:count} of {checks:count audit} failed."

AUDIT_COLUMNS = (
    *("method", "event", "faulty variant", "neighbors", "claimed ε", "ε (lower bound)"),
    *("faulty variant ε (lower bound)", "runs", "faulty variant runs", "faulty variant caught"),
)
SENSITIVITY_COLUMNS = ("method", "event", "claimed", "measured", "holds", "worst neighbors")
AUDIT_FAILURES = {
    "above": "{method}, {event} ({neighbors}): audited ε {audited} is above the claim {claimed}",
    "missed": (
        "{method}, {event} ({neighbors}): the faulty variant “{variant}” is not detected (audited ε"
        " {audited}, claim {claimed})"
    ),
    "sensitivity": (
        "{method}, {event}: measured sensitivity {moved} is above the claim {claimed} ({neighbors})"
    ),
    "one_run": "{method}: audited ε {audited} is above the claim {claimed}",
    "fault_missed": "{method} with the bug “{fault}”: the audit does not detect the bug",
    "fault_alarm": "{method} with the bug “{fault}”: the audit rejects a correct guarantee",
    "bug_missed": "{bug}: the audit does not detect the bug",
    "fix_caught": "{bug}: the audit rejects the fixed code",
}

ONE_RUN_COLUMNS = (
    "audit",
    "ε (lower bound)",
    "ε if Gaussian (lower bound)",
    "claimed ε",
    "seconds",
)
ONE_RUN = {
    "one": "one run of `{method}`, {canaries:count canary canaries}",
    "many": "{runs:count} runs on each of two neighbors",
    "delta": "Lower bounds on ε at δ = {delta}. Neighbors: {adjacency}.",
    "errors": "Error probability: {one} for one run, {many} for many runs.",
}

FAULT_COLUMNS = (
    *("releases per data set", "ε (lower bound)", "estimated ε", "upper bound of this test"),
    "claim violated",
)
FAULT = {
    "claim": "Claim: ε = {epsilon} ({notion}, δ = {delta}; {adjacency}).",
    "broken": "The audit shows that the claim is violated.",
    "kept": "The audit does not show that the claim is violated.",
    "error": "Probability that the audit rejects a correct claim: at most {error}.",
}

BUG_COLUMNS = (
    *(
        "bug",
        "status",
        "claimed ε",
        "ε (lower bound)",
        "violated",
        "ε after the fix (lower bound)",
        "violated",
    ),
    *("releases", "seconds"),
)
BUGS = {
    "row": "`{bug}`",
    "narrow_row": "`{bug}`, {view}",
    "releases": (
        "Releases: counted per data set, after {learned:count} releases per data set to choose the"
        " tests."
    ),
    "errors": (
        "Probability that an audit rejects a correct claim: at most {error} each, {total} in total."
    ),
}

FUNCTION_COLUMNS = (
    *("releases of", "claimed {sign}", "{sign} (lower bound)", "upper bound of this test"),
    *("equivalent ε at δ = {delta}", "releases counted", "claim violated"),
)
FUNCTION = {
    "function": "`{name}`",
    "combined": "faulty variant (four releases returned as one)",
    "own_variant": "your faulty variant",
    "note": "Note: {text}.",
    "time": "{releases:count release} in {seconds} seconds.",
}
YES, NO, FAILED_CELL = "yes", "no", "NO"
