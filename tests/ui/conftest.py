"""Pages are opened without a browser here, which need not be waited for."""

from functools import cache

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import local_script_runner

from dpviz.ui.live import rerun_scheduling

rerun_scheduling.FIRST_PAUSE = 0.0
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
"""Which packages bring components: an AppTest reads all that are installed for it, 0.2 s each."""
local_script_runner.ScriptCache = cache(local_script_runner.ScriptCache)
"""One for all runs, as in a server: else each run compiles its page anew."""


def wait(runner, timeout, limit=local_script_runner.require_widgets_deltas):
    """Wait for the script's thread. Streamlit reads all events of the run every millisecond, which
    takes a tenth of the run's time.
    """
    runner._script_thread.join(timeout)
    limit(runner, timeout if runner.script_stopped() else 0)


local_script_runner.require_widgets_deltas = wait
