from dpviz.methods import METHODS
from dpviz.plots.noise_draws import MethodDraws, NoiseDraws
from dpviz.types import DataConfig
from dpviz.views.noise_draws import finding, next_seed, training_finding, training_line
from dpviz.views.page_config import SEED_STEPS

DATA = DataConfig("mnist5k", "glyphnet", public="glyphs", ir=50.0)


def words(accuracies, precise):
    seeds = tuple(range(60, 60 + len(accuracies)))
    row = MethodDraws("dppl-mean", "DPPL-Mean", seeds, accuracies)
    draws = NoiseDraws("overall", (row,), seeds[-1] if seeds else 0)
    return finding(row, draws, DATA, precise).replace("\u00a0", " ")


def test_seeds_begin_after_those_of_the_curves():
    assert next_seed(7, []) == 7 + max(SEED_STEPS)
    assert next_seed(7, [67, 69, 68]) == 70


def test_finding_states_draw_and_extremes_of_last_twenty():
    said = words((0.05, *[0.41] * 10, *[0.78] * 9, 0.62), precise=True)
    assert said == (
        "In this draw, DPPL-Mean classifies **62%** of test images correctly. The last 20 draws:"
        " 41% to 78%."
    )
    assert words((0.5, 0.62), precise=False) == (
        "In this draw, DPPL-Mean recognizes **62 of 100** test images. The last 2 draws: 50 to 62."
    )


def test_first_draw_states_no_range():
    assert words((0.62,), precise=True).startswith(
        "In this draw, DPPL-Mean classifies **62%** of test images"
    )
    assert "Draw new noise" in words((), precise=False)


def test_steps_state_last_and_highest_accuracy():
    curve = {0: {"overall": 0.1}, 5: {"overall": 0.6}, 10: {"overall": 0.5}}
    said = training_finding(
        training_line("noisy-gd", METHODS["noisy-gd"].title, curve, "overall")
    ).replace("\u00a0", " ")
    assert said == (
        "Private linear probe: **50%** after 10 steps. Its highest accuracy is 60%, after 5 steps."
    )
