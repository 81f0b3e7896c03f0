"""Strings that the console shows as more than text: `HTML("<b>bold</b>")`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class HTML:
    """HTML. What acts, loads or styles the page is removed from it."""

    text: str

    def _repr_html_(self) -> str:
        return self.text


@dataclass(frozen=True)
class SVG:
    """A picture in SVG."""

    text: str

    def _repr_svg_(self) -> str:
        return self.text


@dataclass(frozen=True)
class Markdown:
    """Markdown, as `HTML`."""

    text: str

    def _repr_markdown_(self) -> str:
        return self.text


@dataclass(frozen=True)
class Latex:
    r"""Mathematics in LaTeX, such as `\frac12`, or text with `$…$` and `$$…$$` in it."""

    text: str

    def _repr_latex_(self) -> str:
        return self.text
