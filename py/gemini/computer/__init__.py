"""The computer that agents and people share: files, terminals, programs, servers, search and version control."""
