"""Notes on the numbers of every page."""

TITLE = "About the numbers"
LINES = (
    "**Simulated with fixed seeds.** This is not a private release. Use `dpviz release` for one.",
    "**Protected**: training images, or persons. Each guarantee names the unit and the adjacency.",
    "**Public**: the set of classes, the encoder, the public set and the test images.",
    "**Not covered by a guarantee**: accuracies, class sizes and noiseless results. They read"
    " private data.",
    "**Choosing settings by looking at results uses private data**, too. The guarantee covers one"
    " release with settings fixed beforehand.",
    "**Noise seeds** vary the noise alone. Data, split and imbalance stay fixed. All budgets of a"
    " method share seeds.",
    "**Intervals** are 95% intervals over noise seeds and test images. Comparisons use Holm's"
    " correction.",
    "**Minority**: the smallest quarter of the classes. **Balanced**: mean over classes."
    " **Overall**: share of all test images.",
    "**Without noise**: the same method without its noise. **Not private**: another method without"
    " any privacy.",
    "**Chance**: 1 divided by the number of classes.",
)
