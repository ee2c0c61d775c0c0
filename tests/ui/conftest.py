"""Pages are opened without a browser here, which need not be waited for."""

from functools import cache

from streamlit.components.v2 import manifest_scanner

from dpviz.ui.live import rerun_scheduling

rerun_scheduling.FIRST_PAUSE = 0.0
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
"""Which packages bring components: an AppTest reads all that are installed for it, 0.2 s each."""
