"""Gestures on all kinds of controls, performed with trusted input and by the page script."""
