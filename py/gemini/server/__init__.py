"""The former name of `gemini.kernel`, under which documents showed `gemini.server.kernel.kernel` to scripts."""
