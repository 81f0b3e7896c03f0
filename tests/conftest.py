"""What all tests share: the public fixtures of gemini_testing, which an installed package brings by itself."""

pytest_plugins = ["gemini_testing.plugin", "pytester"]
