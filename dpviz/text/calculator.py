"""Texts of the guarantee calculator: mechanisms, assumptions, refusals."""

# ------------------------------------------------------------------------------------- the numbers

#: Parameters by field, as a refusal begins.
NAMES = {
    "sigma": "Noise multiplier",
    "rate": "Sampling rate",
    "steps": "Steps",
    "scale": "Laplace scale",
    "epsilon": "ε",
    "queries": "Queries",
    "answered": "Answered queries",
    "sigma1": "Noise of the threshold test",
    "sigma2": "Noise of the votes",
    "delta": "Delta",
    "images": "Images per person",
    "prior": "Prior",
}
UNITS = {"record": "one record = one image", "person": "one person, as the source states"}
UNIT_IMAGES = "one person with at most {images:count image}"
TOO_MANY_ANSWERS = (
    "Answered queries must be at most the number of queries ({queries:count}), got"
    " {answered:count}."
)
UNKNOWN_NOTION = "No guarantee has the notion {notion} and the unit {unit}."
NO_GROUP = (
    "At {images:count image} per person, δ of this (ε, δ) guarantee is above {largest:number}."
    " State fewer images."
)
NO_DELTA = "δ is missing. This mechanism has an ε only at a δ above 0, such as δ = 1e-5."

#: What counts as public, by kind of mechanism.
PUBLIC = {
    "dp-sgd": "all parameters; which records a step samples stays secret",
    "gaussian": "all parameters",
    "laplace": "all parameters",
    "exponential": "all parameters and the candidates",
    "pate": "all parameters, the queries and the number of teachers",
    "published": "what the source states",
}
SOURCES = {
    "dp-sgd": "Abadi et al. 2016; Doroshenko et al. 2022",
    "gaussian": "Balle and Wang 2018; Dong, Roth and Su 2019",
    "laplace": "Dwork et al. 2006; Doroshenko et al. 2022",
    "exponential": "McSherry and Talwar 2007; Dong, Durfee and Rogers 2020",
    "pate": "Papernot et al. 2018, data-independent",
    "published": "stated by the source",
}
STARTS = "at the stated release"
DEFAULTS = "the choice of the parameters is not covered"

#: Why a library gives no number.
NO_LIBRARY = {
    "missing": "not installed",
    "published": "not needed: the source states ε",
    "failed": "the library gives no number here",
    "pure": "states no ε at δ = 0",
    "exponential": "does not offer the exponential mechanism",
    "zcdp": "does not offer zCDP",
    "sampled": "does not offer Poisson sampling of Gaussian noise",
    "slow": "too slow here",
}

# --------------------------------------------------------------------------- pasted configurations

TOO_LONG = "The text has {size:count} bytes. Paste at most {most:count}."
NOT_TEXT = "This is not text. Paste the lines of a configuration."
NOTHING_PASTED = "Nothing is pasted. Paste a configuration, such as noise_multiplier = 1.1."
NOTHING_FOUND = (
    "No configuration found. Paste a text with a noise multiplier, such as noise_multiplier = 1.1."
)
NO_OPENDP = "Only make_laplace and make_gaussian of OpenDP are read. Paste one of them."
SEVERAL_OPENDP = "The text has several OpenDP mechanisms. Paste one of them."
NO_POISSON = (
    "poisson_sampling=False: the guarantee holds for Poisson sampling only. Enter the steps with a"
    " sampling rate of 1."
)
AMBIGUOUS = "{name} has several values: {values}. Keep one."
NOT_FINITE = "{name} must be finite, got {value}."
NOT_POSITIVE = "{name} must be above 0, got {value}."
MISSING = "The text does not state {fields}. Add it as name = number."
#: Missing values, each with a name under which it is read.
ASKED = {
    "sigma": "the noise multiplier ({name})",
    "batch": "the batch size ({name})",
    "records": "the data set size ({name})",
    "epochs": "the number of steps (steps, or epochs)",
    "delta": "δ ({name})",
    "scale": "the noise scale ({name})",
    "sensitivity": "the sensitivity (d_in)",
}

# ------------------------------------------------------------------------------------ command line

ONE_MECHANISM = "State exactly one mechanism, got {number:count}. Options: {names}."
OTHER_OPTION = "--{name} does not belong to --{kind}. Remove it."
NO_PATE = "PATE needs --queries, --answered and --sigma2."
FILE_KIND = "configuration"

LIBRARIES = {
    "autodp": "autodp",
    "rdp": "dp_accounting, Rényi orders",
    "pld": "dp_accounting, privacy loss distributions",
    "opendp": "OpenDP",
}

# ------------------------------------------------------------------------------------ the guarantee

#: What a guarantee assumes, by kind of mechanism.
ASSUMPTIONS = {
    "dp-sgd": (
        "each step samples each record independently (Poisson), and the sample stays secret",
        "each record's gradient is clipped, and the noise is added to the sum",
        "the adversary sees every step",
    ),
    "gaussian": (
        "the noise is independent, with its standard deviation stated over the L2 sensitivity",
        "the number of releases is fixed beforehand",
    ),
    "laplace": (
        "the noise is independent, with its scale stated over the L1 sensitivity",
        "the number of releases is fixed beforehand",
    ),
    "exponential": (
        "the utility is monotone: adding a record never lowers it",
        "the number of choices is fixed beforehand",
    ),
    "pate": (
        "one record reaches one teacher",
        "the number of answers is limited beforehand",
    ),
    "published": ("the source is right, and its unit is the one chosen here",),
}
#: How many images of one person change a guarantee, by kind of mechanism.
GROUPS = {
    "one": "one image per person",
    "dp-sgd": (
        "a person's images count as all sampled whenever one of them is, which is an upper bound"
    ),
    "linear": "sensitivity grows with the number of images",
    "pate": (
        "each image of a person may reach another teacher; with one teacher per person, use 1 image"
    ),
    "published": "group privacy: ε and μ grow with the number of images, ρ with its square",
    "person": "the source already protects the person, so the number of images does not matter",
}
RHO = {
    "exact": "ρ = {value:number}, exact.",
    "published": "ρ = {value:number}, as stated.",
    "pure": "ρ ≤ {value:number}, since ε-DP implies ε²/2.",
    "bounded_range": "ρ ≤ {value:number}, tight for the exponential mechanism.",
    "sampled": (
        "No ρ is shown: sampling does not lower ρ. Without sampling it would be {bound:number}."
    ),
    "approx": "No ρ follows from (ε, δ): with probability δ, the loss has no limit.",
}
MU = {
    "exact": "μ = {value:number}, exact.",
    "pure": "μ ≤ {value:number}, the tight bound for ε-DP.",
    "bounded_range": "μ ≤ {value:number}, the tight bound for a bounded range.",
    "sampled": (
        "No μ is shown: sampling does not lower μ. Without sampling it would be {bound:number}."
    ),
    "approx": "No μ follows from (ε, δ): with probability δ, the loss has no limit.",
    "zcdp": "No μ is shown: none is known to follow from ρ.",
}
