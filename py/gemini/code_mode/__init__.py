"""Code mode: agents write Python over typed modules, which are made from the declarations of tools."""
