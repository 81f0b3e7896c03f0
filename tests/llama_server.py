"""Runs llama.cpp's server by xllamacpp, in the environment of `tests/llama.py`: `llama_server.py JSON`."""

import json
import sys
import threading
from pathlib import Path
from typing import Any

import xllamacpp  # pyright: ignore[reportMissingImports]


def main(given: dict[str, Any]) -> None:
    """Serve until the process is killed.

    Args:
        given: `model`, `port`, `context`, `slots`, `template`, `tools`, `embeds`, `unending` and `slow`, as in
            `Variant`.
    """
    params: Any = xllamacpp.CommonParams()
    params.model.path = given["model"]
    params.hostnames = ["127.0.0.1"]
    params.port = given["port"]
    params.n_ctx = given["context"] * given["slots"]
    params.n_parallel = given["slots"]
    params.kv_unified = False
    # Several threads wait for each other actively, which takes many times as long on a busy machine.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    if given["slow"]:
        params.n_batch = params.n_ubatch = 64
    params.warmup = False
    params.use_jinja = given["template"] != "none"
    if given["template"] == "tools":
        params.chat_template = Path(given["tools"]).read_text("utf-8")
    if given["unending"]:
        params.sampling.ignore_eos = True
    if given["embeds"]:
        params.embedding = True
        params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
        params.n_ubatch = params.n_batch = params.n_ctx
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    threading.Event().wait()


main(json.loads(sys.argv[1]))
