"""The computer that agents and users share: files, terminals, programs, servers, search and version control."""
