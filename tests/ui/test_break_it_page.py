"""Break it: first whether anyone would notice, then what the audit shows; another switch asks anew,
and the shell gives the page's numbers.
"""

import json
import re

import pytest

from dpviz.audit import faults
from dpviz.cli import main
from tests.kit.seen import markdown
from tests.kit.whole_app import opened

pytestmark = pytest.mark.slow
QUICK = {"ir": "5", "n": "2", "of": "dppl-mean"}


def group(at, key):
    """The choice of that name."""
    (found,) = [one for one in at.get("button_group") if one.key == key]
    return found


def test_page_asks_before_showing_the_result():
    at = opened("break_it", QUICK)
    assert not at.exception and "Would you have noticed?" in markdown(at)
    assert group(at, "noticed").value in (None, []) and "**broken**" not in markdown(at)


def test_page_matches_command_output(capsys):
    at = opened("break_it", QUICK | {"noticed": "no", "table": "true"})
    assert not at.exception and "**broken**" in markdown(at)
    shown = re.search(r"ε = ([\d.]+)", markdown(at))[1]
    command = next(c.value for c in at.code if "--mistake" in c.value)
    assert main([*command.split()[3:], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["looks"][-1]["broken"] and told["promised"] == pytest.approx(4, abs=0.01)
    looks = {round(look["shown"], 3) for look in told["looks"]}
    assert any(abs(float(shown) - look) < 0.006 for look in looks), (shown, looks)


def test_changing_fault_asks_again():
    at = opened("break_it", QUICK | {"noticed": "no"})
    group(at, "mistake").set_value("seed").run()
    assert not at.exception and "noticed" not in at.query_params
    assert "Would you have noticed?" in markdown(at)


def test_non_classifier_release_shows_its_error():
    at = opened("break_it", {"ir": "5", "n": "2", "mistake": "low-bits"})
    assert not at.exception
    assert re.search(r"off by [\d.]+ records a class in the mean", markdown(at))
    assert group(at, "noticed").value in (None, [])


def test_correct_variant_is_not_asked_about_or_caught():
    at = opened("break_it", QUICK | {"mistake": "none"})
    assert not at.exception and "**not broken**" in markdown(at)


@pytest.mark.parametrize(
    "words, told",
    [
        (["--mistake", "none"], "--method"),
        (["--mistake", "no-such", "--method", "dppl-mean"], "half-noise"),
        (["--mistake", "none", "--method", "class-mean"], "has no guarantee to audit"),
    ],
)
def test_invalid_audit_command_is_refused(words, told, capsys):
    assert main(["audit", *words]) == 2
    assert told in capsys.readouterr().err


def test_every_fault_states_source_and_fix():
    for one in faults.MISTAKES.values():
        assert one.link.startswith("https://") and len(one.source) > 10, one.key
        for words in (one.wrong, one.explanation, one.fix):
            assert words.endswith("."), (one.key, words)


def test_one_run_appears_with_many_runs_and_guarantee():
    at = opened("break_it", QUICK | {"mistake": "none", "closer": "run", "promise": "8"})
    said = markdown(at)
    assert "Without any mistake DPPL-Mean shows" in said and "3,000 canaries" in said, said
    assert any("--one-run --method dppl-mean" in code.value for code in at.code)


def test_method_without_canaries_explains_why():
    at = opened("break_it", QUICK | {"of": "dp-ls", "closer": "run"})
    assert not at.exception and at.info and "canar" in at.info[0].value


def test_unknown_fault_falls_back_to_first():
    at = opened("break_it", QUICK | {"mistake": "no-such"})
    assert not at.exception and not at.error and "*half the noise*" in markdown(at)


def test_plain_mode_counts_correct_guesses():
    at = opened("break_it", QUICK | {"noticed": "no", "voice": "plain"})
    right, allowed = map(int, re.search(CAUGHT, markdown(at)).groups())
    assert right > allowed == 68


CAUGHT = r"is right at least \*\*(\d+) times in 100\*\*; the promise allows (\d+)"
