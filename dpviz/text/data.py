"""Texts of the Data page, and of uploads on every page."""

from dpviz.text.template import Text

TITLE = "Which data can you use?"

#: The answer, by case.
ANSWERS = {
    "ready": Text(
        "**{ready:count data_set}** are ready to use, and **{missing:count}** more can be"
        " downloaded. You can also use your own.",
        "**{title}** is ready to use on every page, with features from {encoder}."
        " {ready:count data_set} are on this computer.",
    ),
    "embed": Text(
        "**{title}** needs features. Compute them with the button below.",
        "**{title}** has no features from {encoder} yet. Compute them with the button below.",
    ),
    "download": Text(
        "**{title}** is not on this computer yet. Download it with the button below.",
        "**{title}** is not on this computer yet. Use the button below to download it and compute"
        " features with {encoder}.",
    ),
    "by hand": Text("**{title}** must be downloaded by hand. Follow the steps below."),
    "unread": Text("**{title}** could not be read."),
}

# tiles
PRIVATE = "Private images"
PRIVATE_NOTE = "for training"
PRIVATE_HELP = "Training images. Every page treats them as private."
PUBLIC = "Public images"
PUBLIC_NOTE = "set aside"
TEST = "Test images"
TEST_NOTE = "used only to measure accuracy"
CLASSES = "Classes"
EQUAL_NOTE = "{each:count image} each"
RANGE_NOTE = "{fewest:count} to {most:count image} each"
RATIO = "Original imbalance ratio"
RATIO_NOTE = "largest ÷ smallest class"
RATE = "Computed on {device:md} at {rate:md} images per second."

# main chart
FINDING_EQUAL = "{title}: classes of equal size"
FINDING = "{title}: classes of {fewest:count} to {most:count training_image}"
CAPTION_EQUAL = "Bars: training images per class."
CAPTION_IMAGES = (
    "Each class: of its first {images:count training_image}, the one nearest to their mean."
)
CAPTION = (
    "Bars: training images per class. Hatched: rare classes, the quarter with the fewest images."
)

# controls and work
DATA = "Data"
DATA_HELP = "All data sets that you can use as private data, including those not downloaded yet."
OPTION = "{title:md} ({state:md})"
EMBED = "Compute features with {encoder:md}"
DOWNLOAD = "Download {title:md} and compute features with {encoder:md}"
DOWNLOAD_NOTE = "{title} is not on this computer. Without a network: {steps}"
BY_HAND = "{title}: {steps}"
EMBEDDED = "Features computed: {result:md}. Every page can use them."

TABS = {
    "sets": "All data sets",
    "own": "Your own data",
    "samples": "Sample images",
    "map": "Image map",
    "expect": "What to expect",
    "sources": "Sources",
    "encoders": "Encoders",
    "table": "Table and command",
}

# tab: all data sets
CHOOSE = (
    "To use another data set, select it in the sidebar. Unverified: the license as commonly"
    " reported, not checked at the source."
)
CHOOSE_ON_PHONES = (
    "Select an underlined data set to use it. Unverified: license not checked at the source."
)
#: Fold of most data sets, on phones.
OTHER_SETS = "More data sets"
#: Above wide tables on phones.
SWIPE = "Swipe the table sideways to see all columns."
#: Columns of the table of data sets.
SETS = {
    "title": "Data set",
    "state": "Status",
    "contents": "Contents",
    "classes": "Classes",
    "license": "License",
    "role": "Use",
    "source": "Source",
    "get": "How to get it",
    "checked": "Checked against",
    "checksum": "Checksum",
    "key": "Key",
}
CHOSEN_STATE = "✓ in use"
ROLES = {("private",): "private", ("public",): "public", ("private", "public"): "private or public"}

# tab: your own data
LARGER = (
    "Larger than {limit:count} MB? Use a folder on the command line:"
    " `dpviz embed --dataset FOLDER`."
)
LARGER_FEATURES = (
    "Larger than {limit:count} MB? Use the file on the command line:"
    " `dpviz run --dataset FILE.npz --method METHOD --budget 1`."
)
IMAGES = "Images"
IMAGES_LABEL = "Images (.zip or .parquet)"
FEATURES = "Features"
FEATURES_LABEL = "Features (.npz)"
OWN_FEATURES_LABEL = "Your own features (.npz)"
PUBLIC_FEATURES_LABEL = "Public features (.npz)"
IMAGES_NOTE = "A zip file with one folder per class, or a Parquet file with images and labels."
FEATURES_NOTE = "Arrays `X_train`, `y_train`, `X_test` and `y_test`, from any encoder."
FEATURES_HELP = (
    "Required arrays: X_train (n, d), y_train, X_test, y_test. Optional: X_public, y_public,"
    " class_names, and persons (n,) with the person of each training record. Other arrays are"
    " ignored. The file stays in this server's cache folder. Anyone with the link can see results."
)
PUBLIC_FEATURES_HELP = (
    "Array X_public (m, d), from the same encoder. Optional: y_public, with -1 where a row has no"
    " label, and class_names. Other arrays are ignored. Everything in the file counts as public."
)
FORMATS = "File formats and limits"
#: Items of a list.
RULES = (
    "**Zip file**: one folder per class, or `train/<class>/` and `test/<class>/`. Without these"
    " folders, about one image in {test_one_in:count} becomes a test image, chosen by a hash"
    " of its name.",
    "**Parquet file**: a column of encoded images and a column `label`. About one row in"
    " {test_one_in:count} becomes a test image, chosen by a hash of the image.",
    "**Classes**: add a file `classes.txt` with one name per line. Otherwise the names are taken"
    " from the folders or labels, and every guarantee states this.",
    "**People**: add `people.csv` with columns `image` and `person`, or folders"
    " `<class>/<person>/`. Parquet files use a column `person`; feature files use an array"
    " `persons`. Each person is in either the training or the test data, unless your folders"
    " put the person in both. The server keeps a number per person, not the name.",
    "**Limits**: JPEG, PNG, WebP, BMP, GIF, TIFF or PPM, at most {files:count} files. At most"
    " {gigabytes:count} GiB unpacked. At most {megapixels:count} megapixels and {megabytes:count}"
    " MiB per image. Rejected files are listed with the reason.",
    "**Privacy**: files stay in this server's cache folder. Anyone with the link can see results.",
)
FILE_GONE = "The server no longer has the file in the upload box. Upload the file again."
UPLOADS_NOTE = (
    "Uploads are deleted {days:count day} after the last use. Limit: {uploads:count upload},"
    " {megabytes:count} MiB in total."
)
UPLOAD = "{title}, {size:md} MiB"
USE = "Use on Trade-off"
DELETE = "Delete"
SORTED = (
    "**{used:count image} used, {refused:count} rejected.** {classes:count class classes}:"
    " {names:list}."
)
REASONS = {"reason": "Reason", "files": "Files"}
REJECTED = {"file": "File", "reason": "Reason"}
EACH_REJECTED = "All {files:count rejected_file}"
REJECTED_CSV = "Download CSV"
CLASS_LIST = "List of classes"
CLASS_LIST_NOTE = (
    "No guarantee covers the list of classes. Confirm it from your own knowledge, not from the"
    " images. A class in the list may have no images."
)
CLASS_LIST_LABEL = "Classes, one per line"
CONFIRM = "Confirm list"
LIST_NAME = "The list"

# tab: sample images
SAMPLES = "Training images of the first classes"
SAMPLE = "training image {row:md} of class {name:md}"

# tab: what to expect
NOISE = Text(
    "{name:md} has **{records:count private_image}**. The noise of DPPL-Mean is at least"
    " **{ratio:md} times** as large as the class mean.",
    "{name:md} has **{records:count private_image}**. At {budget:md}, the noise of DPPL-Mean is"
    " at least **{ratio:md} times** as large as the class mean. The length of a class mean is at"
    " most 1. For the mean to be as large as the noise, the class needs at least"
    " {equal:count image}.",
)
NOISE_PER_IMAGE = Text(
    "{name:md} has **{records:count private_image}**. With a guarantee per image, the noise of"
    " DPPL-Mean is at least **{ratio:md} times** as large as the class mean.",
    "{name:md} has **{records:count private_image}**. At {budget:md} per image, the noise of"
    " DPPL-Mean is at least **{ratio:md} times** as large as the class mean. The length of a"
    " class mean is at most 1. For the mean to be as large as the noise, the class needs at least"
    " {equal:count image}.",
)
NO_NOISE = "{name:md} has **{records:count private_image}**."
TESTED = (
    "Even with all {tested:count test_image} correct, its accuracy is only known to be at least"
    " **{least:md}%** (95% interval)."
)
TESTED_ONCE = (
    "Even if its only test image is correct, its accuracy is only known to be at least"
    " **{least:md}%** (95% interval)."
)
UNTESTED = "It has no test images, so its accuracy is unknown."
UNKNOWN_PERSONS = (
    "This data set does not identify the people behind the images. Guarantees therefore cover"
    " single images, not people."
)
ONE_PERSON = "All {images:count} {noun:md} are from **1 person**."
PERSONS = (
    "The {noun:md} are from **{persons:count person people}**. The median per person is"
    " **{median:number}** and the maximum is **{most:count}**."
)
TRAINING_IMAGES, USED_IMAGES = "training images", "images used"
PERSONS_CAPTION = "People by their number of training images."
ASIDE = (
    "Public data: **{images:count training_image}** of this set, chosen by a hash of each image"
    " or person. The others stay private."
)
NONE_ASIDE = "{reason:md} Choose another public set, or none."
NO_PUBLIC_SET = (
    "No public set is chosen, so all training images stay private. Methods that need no public"
    " set: {methods:md}. For other methods, choose a public set or set some images aside."
)
CLASSES_READ = (
    "The list of classes was taken from the folders or labels, so every guarantee treats it as"
    " public. Confirm the list under **Your own data**, or add a file `classes.txt`."
)

# tab: sources
NOT_CHECKED = "not checked; size and license as commonly reported"
PUBLIC_CARD = "Public: {title:md}"
FEATURES_SIZE = "{dim:count} features from {size:md} × {size:md} pixels"
ROWS = {
    "gives": "Output",
    "trained": "Trained on",
    "source": "Source",
    "license": "License",
    "size": "As published",
    "checked": "Checked against",
    "state": "Status",
    "checksum": "Checksum",
}
CHECKSUM = "{checksum:md} of {name:md}"

# tab: encoders
OTHER_ENCODERS = "For any other timm model, type `timm:NAME` into the **Encoder** control."
ENCODERS = {
    "title": "Encoder",
    "dim": "Features",
    "size": "Input (px)",
    "state": "Status",
    "trained_on": "Trained on",
    "licence": "License",
    "source": "Source",
    "key": "Key",
}

# tab: table and command
COUNTS = "Class counts"
COUNT_COLUMNS = {"class": "Class", "train": "Training images", "test": "Test images"}
PERSON_COUNTS = "Images per person"
COMMAND = "Run this command in the project folder. It downloads missing files and can be resumed."
COMMAND_NOTE = (
    "`python -m dpviz list datasets --json` prints the status of every set. The option `--dataset`"
    " also takes a folder, a .zip or a .parquet file."
)
