"""Run Python programs and console code, and install packages."""
