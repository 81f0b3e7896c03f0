"""What all tests share."""

from importlib.metadata import entry_points

PLUGIN = "gemini_testing.plugin"

# Where the package is installed, pytest has found the plugin by itself.
installed = any(point.value == PLUGIN for point in entry_points(group="pytest11"))
pytest_plugins = ["pytester"] if installed else ["pytester", PLUGIN]
