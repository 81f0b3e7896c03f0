"""A backend of matplotlib that shows figures in the console: `MPLBACKEND=module://gemini.computer.python.matplotlib_backend`."""

from typing import Any

from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

from gemini.computer.python.showing import display


class FigureManager(FigureManagerBase):
    """Shows a figure as an image."""

    def show(self) -> None:
        """Show the figure as it is now."""
        display(self.canvas.figure)

    @classmethod
    def pyplot_show(cls, *, block: bool | None = None) -> None:
        """Show all open figures and close them, so that each is shown once."""
        managers: list[Any] = list(Gcf.get_all_fig_managers())
        for manager in managers:
            manager.show()
        Gcf.destroy_all()


class FigureCanvas(FigureCanvasAgg):
    """Draws a figure with Agg."""

    manager_class = FigureManager  # pyright: ignore[reportAssignmentType] - declared as a property of the class
