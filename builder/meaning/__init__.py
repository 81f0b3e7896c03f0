"""Makes the model for search by meaning on the device, for `build.py meaning`."""
