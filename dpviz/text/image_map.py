"""Texts of the image map on the Data page, and of its selection on other pages."""

# the map
NO_FEATURES = "The image map needs features. Compute them with the button above."
DRAWING = "Drawing thumbnails"
CAPTION = (
    "Each point is a private image, placed by the two main directions of its features. The plane"
    " shows {share:percent} of their variance."
)
SAMPLE = "The map shows {shown:count} of {all:count private_image}, a sample with a fixed seed."
NO_THUMBNAILS = "Without thumbnails of this data set, the map shows points only."
COLORS_REPEAT = "Colors repeat: there are {classes:count class classes}."
HELP = (
    "Scroll or pinch to zoom until thumbnails appear. Double-click or double-tap to reset. Drag to"
    " pan. To select images, use **Box** or **Lasso**, or drag while holding Shift. Then click an"
    " image to add or remove it. Keys: arrows, Enter, + and −, Esc."
)
ALT = (
    "Map of {images:count private_image} in {classes:count class classes}. The table below lists"
    " the images. Arrow keys move to the nearest image in a direction. Enter selects or deselects"
    " an image. Plus and minus zoom; 0 resets. Escape clears the selection."
)
#: Words of the controls in the chart.
CONTROLS = {
    "mode": "Drag",
    "pan": "Pan",
    "box": "Box",
    "lasso": "Lasso",
    "zoom_in": "Zoom in",
    "zoom_out": "Zoom out",
    "reset": "Reset",
    "row": "row",
    "selected": "selected",
}

# the table
NONE_SELECTED = "No image is selected. The table lists all {shown:count image} of the map."
SELECTED = "**{selected:count image} selected** of {shown:count} on the map: {classes:list}."
#: A class in the selection.
SELECTED_CLASS = "{name:md} ({number:count})"
COLUMNS = {
    "row": "Row",
    "class": "Class",
    "nearest": "Nearest class mean",
    "angle": "Angle to class mean (°)",
    "person": "Person",
}
CLEAR = "Clear selection"
OPEN = {
    "pages/who_pays.py": "Open in Per-record loss",
    "pages/attackers_view.py": "Open in Attacks",
}
PRIVATE = "The selection stays in this session. Links and exports do not contain it."

# other pages
NOTE = "**{selected:count image} selected on the image map**, all used here."
NOTE_SOME = (
    "**{selected:count image} selected on the image map**; {used:count} used here. The imbalance"
    " ratio and other settings leave out the rest."
)
NOTE_HELP = "Other pages ignore the selection."
OTHER_DRAW = (
    "The selection on the image map belongs to data draw 0. Set **Data draw** to 0 to use it."
)

# refusals
BAD_RANGES = "The selection must be ranges of numbers such as 3-9,14. Select the images again."
TOO_LONG = (
    "The selection has {length:count character}; the limit is {limit:count}. Select fewer images."
)
OUTSIDE = (
    "The selection names image {number:count}, but the map has {size:count image}. Select the"
    " images again."
)
