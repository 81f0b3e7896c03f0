"""The display of values."""

import base64
import dataclasses
import json
import sqlite3
from typing import Any, NamedTuple

import altair
import plotly.graph_objects
import pytest
from pydantic import BaseModel

import gemini
from gemini.computer.python.display import MAX_MEDIA, MAX_ROWS, MAX_TEXT, display


class Point(NamedTuple):
    x: Any
    y: Any


@dataclasses.dataclass
class Place:
    name: str
    size: int


class Model(BaseModel):
    name: str
    size: int = 2


def rows_of_sqlite() -> list[Any]:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    return connection.execute("SELECT 'a' AS name, 1 AS size UNION SELECT 'b', 2").fetchall()


def shown(value: Any) -> Any:
    return display(value)[0]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.5, "1.5"),
        ("a\nb", "a\nb"),
        ({"a": 1}, "{'a': 1}"),
        ([], "[]"),
        ([1, 2], "[1, 2]"),
        ([{1: 2}], "[{1: 2}]"),
        ([{}], "[{}]"),
        ([Place], f"[{Place!r}]"),
        (Point(1, 2), "Point(x=1, y=2)"),
        ("\ud800", "\ud800"),
    ],
)
def test_most_values_are_text(value: Any, text: str) -> None:
    assert shown(value) == {"kind": "text", "text": text, "total": len(text)}


def test_charts_are_their_specification() -> None:
    figure = plotly.graph_objects.Figure(plotly.graph_objects.Bar(y=[1, 3, 2]))
    drawn = shown(figure)
    assert (drawn["kind"], drawn["library"]) == ("chart", "plotly")
    assert json.loads(drawn["specification"])["data"] == [{"type": "bar", "y": [1, 3, 2]}]

    chart = altair.Chart(altair.Data(values=[{"a": 1}])).mark_point().encode(x="a:Q")
    for each in (chart, chart | chart):
        drawn = shown(each)
        assert (drawn["kind"], drawn["library"]) == ("chart", "vega")
        assert json.loads(drawn["specification"]) == each.to_dict()


def test_a_chart_that_is_too_large_says_what_to_do() -> None:
    figure = plotly.graph_objects.Figure(plotly.graph_objects.Scatter(y=list(range(1_000_000))))
    assert "draw fewer points" in shown(figure)["text"]


@pytest.mark.parametrize(
    ("media_type", "library"),
    [
        ("application/vnd.plotly.v1+json", "plotly"),
        ("application/vnd.vegalite.v5+json", "vega"),
        ("application/vnd.vegalite.v6.1+json", "vega"),
        ("application/vnd.vega.v5+json", "vega"),
    ],
)
def test_a_bundle_with_a_chart_is_a_chart(media_type: str, library: str) -> None:
    class Bundled:
        def _repr_mimebundle_(self) -> Any:
            return {"text/html": "<script></script>", media_type: {"data": []}}

    assert shown(Bundled()) == {"kind": "chart", "library": library, "specification": '{"data": []}'}


def test_a_widget_says_what_is_not_possible() -> None:
    # What ipywidgets 8.1.9 returns.
    class IntSlider:
        def _repr_mimebundle_(self) -> Any:
            view = {"version_major": 2, "version_minor": 0, "model_id": "e8a8da50"}
            return {"text/plain": "IntSlider(value=0)", "application/vnd.jupyter.widget-view+json": view}

        def __repr__(self) -> str:
            return "IntSlider(value=0)"

    text = shown(IntSlider())["text"]
    assert text.startswith("IntSlider(value=0)\nWidgets need Jupyter's widget manager")


def test_long_values_are_pretty_printed() -> None:
    text = shown({"first": ["word"] * 20, "second": {"deep": "x" * 60}})["text"]
    assert "\n" in text and max(map(len, text.splitlines())) <= 100
    # In the order of insertion, not sorted.
    assert shown({name * 30: 1 for name in "zyx"})["text"].startswith("{'z")


def test_a_long_value_is_cut_and_returned_in_full() -> None:
    text = "x" * (MAX_TEXT + 5)
    assert display(text) == ({"kind": "text", "text": text[:-5], "total": len(text)}, text)
    assert display("short")[1] is None
    assert shown(list(range(100_000)))["text"].endswith("998, 999, … 99,000 more]")
    assert shown(set(range(5_000)))["text"].endswith(", … 4,000 more}")


@pytest.mark.parametrize(
    "records",
    [
        [{"name": "a", "size": 1}, {"name": "b", "size": 2}],
        [Place("a", 1), Place("b", 2)],
        (Model(name="a", size=1), Model(name="b")),
        rows_of_sqlite(),
    ],
)
def test_records_are_a_table(records: Any) -> None:
    rows = [["a", "1"], ["b", "2"]]
    assert shown(records) == {"kind": "table", "columns": ["name", "size"], "rows": rows, "total": 2}


def test_a_table_has_all_columns_and_its_first_rows() -> None:
    table = shown([Point(1, None), *[{"y": "text", "z": [n]} for n in range(1_000)]])
    assert table["columns"] == ["x", "y", "z"]
    assert table["rows"][:2] == [["1", "None", ""], ["", "text", "[0]"]]
    assert (len(table["rows"]), table["total"]) == (MAX_ROWS, 1_001)
    assert shown([{"a": 1}, 2])["kind"] == "text"
    assert shown([{f"column {n}": n for n in range(60)}])["kind"] == "text"
    assert len(shown([{"a": "long" * 100}])["rows"][0][0]) == 201


class Rich:
    """A class with display methods."""

    def __init__(self, **ways: Any) -> None:
        self.ways = ways

    def __repr__(self) -> str:
        return "Rich()"


def rich(**ways: Any) -> Any:
    methods = {f"_repr_{name}_": lambda self, given=given: given for name, given in ways.items()}
    return type("Other", (Rich,), methods)()


def test_display_methods_of_objects() -> None:
    data = base64.b64encode(b"picture").decode()
    assert shown(rich(html="<b>x</b>", png=b"picture")) == {"kind": "html", "html": "<b>x</b>"}
    assert shown(rich(markdown="# x")) == {"kind": "markdown", "text": "# x"}
    for given in (b"picture", data):
        assert shown(rich(png=given)) == {"kind": "image", "media_type": "image/png", "data": data}
    assert shown(rich(svg="<svg/>"))["media_type"] == "image/svg+xml"
    assert shown(rich(html=None, jpeg=b"picture"))["media_type"] == "image/jpeg"


def test_invalid_results_of_display_methods_are_ignored() -> None:
    text = {"kind": "text", "text": "Rich()", "total": 6}
    for value in (rich(html=None), rich(html=5), rich(png=b""), rich(png=b"x" * (MAX_MEDIA + 1))):
        assert shown(value) == text
    assert shown(rich(html="x" * 600_000)) == text


def test_display_methods_are_not_called_on_a_class() -> None:
    assert shown(type(rich(html="<b>x</b>")))["kind"] == "text"


def test_an_error_in_a_display_method_is_shown() -> None:
    class Broken:
        def _repr_html_(self) -> str:
            raise ValueError("not today")

    assert shown(Broken())["text"] == "Broken that can't be shown: ValueError: not today"


def test_an_object_with_every_attribute_is_text() -> None:
    class Any_:
        def __getattr__(self, name: str) -> Any:
            return lambda: f"<b>{name}</b>"

        def __repr__(self) -> str:
            return "any"

    assert shown(Any_())["text"] == "any"


def test_sounds_images_and_mathematics() -> None:
    sound = display(gemini.Audio(b"RIFF"))[0]
    assert sound == {"kind": "audio", "media_type": "audio/wav", "data": base64.b64encode(b"RIFF").decode()}
    assert shown(gemini.Image(b"\xff", "image/jpeg"))["media_type"] == "image/jpeg"
    assert display(gemini.Latex("$x$"))[0] == {"kind": "latex", "text": "$x$"}
    assert display(gemini.HTML("<b>x</b>"))[0] == {"kind": "html", "html": "<b>x</b>"}
    assert display(gemini.Markdown("*x*"))[0] == {"kind": "markdown", "text": "*x*"}
    assert shown(gemini.SVG("<svg/>"))["media_type"] == "image/svg+xml"
    # A data: address of another type could be more than a picture.
    assert display(gemini.Image(b"<script>", "text/html"))[0]["kind"] == "text"


class Chart:
    def __init__(self, *forms: str) -> None:
        self.forms = forms

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, str], dict[str, str]]:
        return {form: base64.b64encode(b"1").decode() for form in self.forms}, {}


def test_the_best_of_several_forms_is_shown() -> None:
    assert display(Chart("text/plain", "image/png", "text/html"))[0]["kind"] == "html"
    assert shown(Chart("text/plain", "image/png"))["media_type"] == "image/png"
    assert display(Chart("text/plain", "application/json"))[0]["kind"] == "text"
