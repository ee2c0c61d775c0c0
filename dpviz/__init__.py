"""dpviz: see what differential privacy costs, for whom, by which method, under which guarantee."""

__version__ = "0.3.0.dev0"
