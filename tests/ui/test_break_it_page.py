"""Audit: first the effect on accuracy, then the audit; another fault asks again, and the command
line gives the page's numbers.
"""

import json
import re

import pytest

from dpviz.audits import faults
from dpviz.cli import main
from dpviz.text import break_it as text
from tests.kit.seen import markdown
from tests.kit.tiles import finding, tiles
from tests.kit.whole_app import opened

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]
QUICK = {"ir": "5", "n": "2", "of": "dppl-mean"}


def group(at, key):
    """The choice of that name."""
    (found,) = [one for one in at.get("button_group") if one.key == key]
    return found


def verdict(at):
    """Value of the tile of the audit, or None before the reader's answer."""
    value = tiles(at).get(text.TILES["verdict"], (None,))[0]
    return None if value == text.HIDDEN else value


def test_page_asks_before_showing_the_result():
    at = opened("break_it", QUICK)
    assert not at.exception and "Balanced accuracy of" in markdown(at)
    fault = faults.get(at.selectbox(key="mistake").value)
    shown = markdown(at) + " ".join(caption.value for caption in at.caption)
    assert all(words not in shown for words in (fault.wrong, fault.explanation, fault.title))
    assert group(at, "noticed").value in (None, []) and verdict(at) is None
    assert "the audit shows" not in markdown(at)
    assert finding(at) == text.ACCURACY_TITLE


def test_page_matches_command_output(capsys):
    at = opened("break_it", QUICK | {"noticed": "no", "table": "true"})
    assert not at.exception and not at.info and verdict(at) == text.CAUGHT
    shown = re.search(r"ε ≥ \*\*([\d.]+)", markdown(at))[1]
    assert tiles(at)[text.TILES["shown"]][0] == f"≥ {shown}"
    command = next(c.value for c in at.code if "--mistake" in c.value)
    assert main([*command.split()[3:], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["looks"][-1]["broken"] and told["promised"] == pytest.approx(4, abs=0.01)
    looks = {round(look["shown"], 3) for look in told["looks"]}
    assert any(0 <= look - float(shown) < 0.011 for look in looks), (shown, looks)
    first = re.search(r"after ([\d,]+) releases", finding(at))[1]
    assert f"after {first} releases" == tiles(at)[text.TILES["verdict"]][1]


def test_changing_fault_asks_again():
    at = opened("break_it", QUICK | {"noticed": "no"})
    at.selectbox(key="mistake").set_value("seed").run()
    assert not at.exception and "noticed" not in at.query_params
    assert verdict(at) is None


def test_non_classifier_release_shows_its_error():
    at = opened("break_it", {"ir": "5", "n": "2", "mistake": "low-bits"})
    assert not at.exception
    assert re.search(r"The mean error of .+ is \*\*[\d.]+\*\* ", markdown(at))
    assert text.TILES["faulty error"] in tiles(at)
    assert group(at, "noticed").value in (None, [])


def test_correct_variant_is_not_asked_about_or_caught():
    at = opened("break_it", QUICK | {"mistake": "none"})
    assert not at.exception and verdict(at) == text.NOT_CAUGHT
    assert "No bug was added" in markdown(at) and finding(at) == text.BOUND_TITLES["kept"]
    assert not [one for one in at.get("button_group") if one.key == "noticed"]


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
    assert "without a bug: one release shows" in said and "3,000 canaries" in said, said
    assert any("--one-run --method dppl-mean" in code.value for code in at.code)


def test_method_without_canaries_explains_why():
    at = opened("break_it", QUICK | {"of": "dp-ls", "closer": "run"})
    assert not at.exception and at.info and "canar" in at.info[0].value


def test_unknown_fault_falls_back_to_first():
    at = opened("break_it", QUICK | {"mistake": "no-such"})
    assert not at.exception and not at.error
    assert at.selectbox(key="mistake").value == next(iter(faults.MISTAKES))


def test_plain_mode_states_success_rate():
    at = opened("break_it", QUICK | {"noticed": "no", "voice": "plain"})
    right, allowed = map(float, re.search(CAUGHT, markdown(at)).groups())
    assert right > allowed == 67.9
    value, note = tiles(at)[text.TILES["guess"]]
    assert value == f"≥ {right:g}%" and f"{allowed:g}%" in note


CAUGHT = r"right at least \*\*([\d.]+)%\*\* of the time\. The guarantee allows \*\*([\d.]+)%"
