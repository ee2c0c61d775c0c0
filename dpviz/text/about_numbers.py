"""Notes on the numbers of every page."""

TITLE = "About the numbers"
LINES = (
    "**Simulated with fixed seeds.** This is not a private release. Use `dpviz release` for one.",
    (
        "**Protected**: training images, or people. Each guarantee names its unit and its"
        " neighboring data sets."
    ),
    "**Public**: the set of classes, the encoder, the public set and the test images.",
    "**Not covered by a guarantee**: accuracies, class sizes and noiseless results. They use"
    " private data.",
    "**Choosing settings by their results also uses private data.** The guarantee covers one"
    " release with settings fixed in advance.",
    "**Noise seeds** change only the noise. The data, split and imbalance stay fixed. A method uses"
    " the same seeds at every budget.",
    "**Intervals** are 95% intervals over noise seeds and test images. Comparisons use Holm's"
    " correction.",
    "**Rare classes** (minority): the quarter of the classes with the fewest training images."
    " **Balanced**: mean over classes. **Overall**: accuracy on all test images.",
    "**Without noise**: the same method without its noise. **Not private**: a different method"
    " without any privacy.",
    "**Chance**: 1 divided by the number of classes.",
)
