#!/bin/sh
# The machine has no services.
exit 101
