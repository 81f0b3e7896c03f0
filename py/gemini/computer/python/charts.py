"""Charts that the page draws from their specification, and values that need a running Jupyter.

Media types: https://github.com/jupyterlab/jupyterlab/tree/main/packages/vega5-extension and plotly's renderers.
"""

import json
import re
from typing import Any, Literal, cast

from typing_extensions import TypedDict

Library = Literal["plotly", "vega"]

PLOTLY_TYPE = "application/vnd.plotly.v1+json"
WIDGET_TYPE = "application/vnd.jupyter.widget-view+json"
_SCHEMA = re.compile(r"/schema/(vega(?:-lite)?)/v(\d+)")
_VEGA_TYPE = re.compile(r"application/vnd\.vega(?:lite)?\.v\d+(?:\.\d+)*\+json")
MAX_SPECIFICATION = 5_000_000


class ChartDisplay(TypedDict):
    """A chart, drawn by the library from its specification in JSON."""

    kind: Literal["chart"]
    library: Library
    specification: str


def chart_of(value: Any) -> ChartDisplay | None:
    """Return the display of a chart of plotly or Altair, whose methods may raise anything; None for other values."""
    kinds = cast("list[type[Any]]", type(value).__mro__)
    if any(kind.__module__ == "plotly.basedatatypes" and kind.__name__ == "BaseFigure" for kind in kinds):
        return _chart("plotly", value.to_json())
    if any(kind.__module__.startswith("altair.") and kind.__name__ == "TopLevelMixin" for kind in kinds):
        return _chart("vega", value.to_json())
    return None


def chart_in(bundle: dict[str, Any]) -> ChartDisplay | None:
    """Return the chart among the data of a value by media type."""
    for media_type, data in bundle.items():
        if media_type == PLOTLY_TYPE:
            return _chart("plotly", json.dumps(data))
        if _VEGA_TYPE.fullmatch(media_type):
            return _chart("vega", json.dumps(data))
    return None


def bundle_of(chart: ChartDisplay) -> tuple[str, Any]:
    """Return the media type and the data of a chart in a notebook's file."""
    specification = json.loads(chart["specification"])
    if chart["library"] == "plotly":
        return PLOTLY_TYPE, specification
    found = _SCHEMA.search(str(specification.get("$schema")))
    name, version = (found[1].replace("-", ""), found[2]) if found else ("vegalite", "6")
    return f"application/vnd.{name}.v{version}+json", specification


def _chart(library: Library, specification: str) -> ChartDisplay:
    if len(specification) > MAX_SPECIFICATION:
        raise ValueError(
            f"the chart has {len(specification):,} characters of JSON, the limit is {MAX_SPECIFICATION:,}: "
            "draw fewer points, or aggregate them first"
        )
    return {"kind": "chart", "library": library, "specification": specification}
