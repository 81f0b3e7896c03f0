/** The release of this page. `pyproject.toml` has the same; a test compares them (tests/unit/ui/test_versions.py). */
export const VERSION = "0.1.0";
