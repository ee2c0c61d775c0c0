"""Quiz and results: what the browser is given, and what a class's files show."""

import pytest

from dpviz.text import questions as text
from dpviz.ui.questions import answer
from dpviz.views.lessons import LESSONS
from dpviz.views.questions import QUESTIONS
from tests.kit.made_up_class import csv, rows
from tests.kit.seen import captions, charts, markdown
from tests.kit.whole_app import opened

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]


def test_each_question_links_to_its_lesson():
    given = answer.test_data()
    for question, told in zip(QUESTIONS.values(), given["questions"], strict=True):
        assert told["lesson"] == LESSONS[question.key].title
        assert f"lesson={question.key}" in told["href"]
    assert [len(form) for form in given["forms"].values()] == [12, 12]


def test_quiz_has_four_questions_with_lessons():
    given = answer.quiz_data()
    assert len(given["questions"]) == 4 and given["words"]["chance"].startswith("By guessing")
    assert all(one["href"] and one["why"] and one["right"] in "abcd" for one in given["questions"])


@pytest.mark.parametrize(("link", "title"), [({}, text.TITLE), ({"test": "1"}, text.TEST_TITLE)])
def test_link_selects_quiz_or_test(link, title):
    at = opened("questions", **link)
    assert at.title[0].value == title and not at.info


def shown(content):
    at = opened("class_results")
    at.file_uploader(key="class-files").upload("made-up.csv", content, "text/csv").run()
    assert not at.exception
    return at


def test_class_result_has_sentence_two_charts_and_tables():
    at = shown(csv(rows(20, 0.3, 0.8)))
    assert "20 people" in markdown(at).partition("Mean gain of")[2] and "private view" in markdown(
        at
    )
    assert len(charts(at)) == 2 and len(at.dataframe) == 2
    assert text.ABOUT_GAIN in captions(at)


def test_small_class_and_invalid_row_give_messages():
    bad = [*rows(3, 0.5, 0.5), ("<b>x", "before", "A", 1, "promise", "a", 1, 50, 3)]
    at = shown(csv(bad))
    assert "3 people completed both tests" in markdown(at) and not charts(at)
    assert len(at.error) == 1 and "line 74" in at.error[0].value.replace("\\", "")
