import sys
import threading

import plotly.graph_objects as go

from dpviz.plots.kit.drawing import copy_figure


def test_figure_can_be_copied_concurrently():
    figure = go.Figure([go.Bar(y=[1, 2], marker={"pattern": {"shape": ["/", ""]}})] * 8)
    wrong, often = [], sys.getswitchinterval()

    def copy_often():
        for _ in range(20):
            try:
                assert all(trace.type == "bar" for trace in copy_figure(figure).data)
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=copy_often) for _ in range(3)]
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(often)
    assert not wrong
