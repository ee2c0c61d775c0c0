"""Sentences of the public demo: its banner, what is off, and its limits."""

#: Banner above each page.
BANNER = "Public demo: no uploads, no long computations."
RUN_LABEL = "Run it yourself"
#: Shown once the banner is open.
CLOSED_FEATURES = (
    "Anyone can open this demo. Uploads, sweeps, tuning, downloads, releases and live classes"
    " are off. Shared limits apply to all other work."
)
RUN_YOURSELF = "All of it works on your own computer, with Python 3.11 or later:"
COMMANDS = ("pip install .", "dpviz app")
COPY_NOTE = "Run both commands in a copy of the project."
SOURCE = "Get the project"

#: One sentence for each closed control.
CLOSED = {
    "uploads": "Uploads are off in this public demo. Run dpviz yourself to use your own files.",
    "downloads": (
        "Downloads of data and encoders are off in this public demo. Run dpviz yourself to use"
        " them."
    ),
    "embedding": (
        "Embedding images is off in this public demo. Choose an encoder whose features are stored."
    ),
    "sweeps": "New sweeps are off in this public demo. Run dpviz yourself to start one.",
    "tuning": "Tuning is off in this public demo. Run dpviz yourself to tune settings.",
    "checks": (
        "Private releases are off in this public demo. Run dpviz yourself to create a release."
    ),
    "files": ("One-file pages are off in this public demo. Run dpviz yourself to create one."),
    "pdf": (
        "PDF files are off in this public demo. Download the HTML file and print it in your"
        " browser."
    ),
    "class": (
        "Live classes are off in this public demo. Run `dpviz app --room` on your own computer."
    ),
}

TOO_MANY = (
    "This public demo runs at most {limit:count computation} per visitor at a time. Wait for one to"
    " finish."
)
FULL = "This public demo is busy. Try again in a minute."
TOO_LONG = (
    "This public demo computes for at most {seconds:count} seconds. Choose fewer methods, seeds or"
    " images, or run dpviz yourself."
)
TOO_MANY_STEPS = (
    "This public demo computes at most {limit:count} steps, got {count:count}. Choose fewer steps,"
    " or run dpviz yourself."
)
TOO_MANY_DIMENSIONS = (
    "This public demo makes features with at most {limit:count dimension}, got {count:count}."
    " Choose fewer dimensions, or run dpviz yourself."
)
TOO_MANY_NUMBERS = (
    "This public demo makes at most {limit:count} numbers (records × dimensions), got"
    " {count:count}. Choose fewer records or dimensions, or run dpviz yourself."
)
TOO_WIDE_FOR_PCA = (
    "This public demo computes public PCA for at most {limit:count dimension}, got {count:count}."
    " Choose features with fewer dimensions, or run dpviz yourself."
)
COMPUTING = "This computation"
ADVICE = "choose fewer methods, seeds or images, or run dpviz yourself"

#: Answers of the server, without a page.
NO_WRITES = "This public demo accepts no uploads or other changes.\n"
NOT_SERVED = "This public demo does not serve this address.\n"
NO_ROOM = (
    "This public demo is full. Try again in a few minutes, or run dpviz on your own computer.\n"
)
#: Answer to a button that makes a file.
FILES_BUSY = "This public demo is busy with other files. Try again in a minute."
#: Line of the log for an error.
LOG_ERROR = "{message}: {error} at {place}"
#: Settings that contradict public mode, at the start of the server.
NOT_SHARED = "DPVIZ_PUBLIC and DPVIZ_SHARED (--shared) cannot be combined. Unset one of them."
NO_CLASS = "DPVIZ_PUBLIC and DPVIZ_ROOM (--room) cannot be combined. Unset one of them."
BAD_LINK = "DPVIZ_PUBLIC_LINK must be an https address, got {link}."
