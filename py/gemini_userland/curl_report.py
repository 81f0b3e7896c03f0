"""The information that `curl -w` prints about a transfer."""

from __future__ import annotations

import json
import re
from urllib.parse import urljoin, urlsplit

from gemini_userland.curl_transfer import Transfer

ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_TOKEN = re.compile(r"%%|%(header)?\{([^}]*)\}|\\(.)", re.DOTALL)
# A page can't see them.
_UNKNOWN = {"remote_ip", "remote_port", "local_ip", "local_port", "size_request"}


def written(pattern: str, transfer: Transfer) -> tuple[bytes, bytes]:
    """Return what a pattern writes to standard output and to standard error."""
    values = variables(transfer)
    parts: dict[str, list[str]] = {"stdout": [], "stderr": []}
    stream = parts["stdout"]
    position = 0
    for token in _TOKEN.finditer(pattern):
        stream.append(pattern[position : token.start()])
        position = token.end()
        name = token[2]
        if token[0] == "%%":
            stream.append("%")
        elif name is None:
            stream.append(ESCAPES.get(token[3], f"\\{token[3]}"))
        elif token[1]:
            stream.append((transfer.answer.header(name.lower()) if transfer.answer else None) or "")
        elif name in parts:
            stream = parts[name]
        elif name == "onerror":
            if not transfer.status:
                break
        elif name in _UNKNOWN:
            parts["stderr"].append(f"curl: %{{{name}}} isn't known to a page\n")
        else:
            stream.append(_value(name, values, transfer))
    else:
        stream.append(pattern[position:])
    out, error = ("".join(texts).encode("utf-8", "surrogateescape") for texts in parts.values())
    return out, error


def _value(name: str, values: dict[str, object], transfer: Transfer) -> str:
    headers = transfer.answer.headers if transfer.answer else []
    if name == "json":
        return json.dumps({"curl_version": "", **values})
    if name == "header_json":
        found: dict[str, list[str]] = {}
        for given, value in headers:
            found.setdefault(given, []).append(value)
        rows = (
            f"{json.dumps(given)}:{json.dumps(texts, separators=(',', ':'))}"
            for given, texts in found.items()
        )
        return "{" + ",\n".join(rows) + "\n}"
    value = values.get(name, "")
    return f"{value:.6f}" if isinstance(value, float) else str(value)


def variables(transfer: Transfer) -> dict[str, object]:
    """Return the variables by name."""
    answer, request = transfer.answer, transfer.request
    location = (answer.header("location") if answer and answer.redirects else None) or ""
    seconds = transfer.seconds
    code = answer.status if answer else 0
    size = len(answer.body) if answer and request.method != "HEAD" else 0
    return {
        "certs": "",
        "content_type": (answer.header("content-type") if answer else "") or "",
        "errormsg": transfer.message,
        "exitcode": transfer.status,
        "filename_effective": transfer.file,
        "http_code": f"{code:03}",
        "http_connect": "000",
        "http_version": "1.1" if answer else "0",
        "method": request.method,
        "num_certs": 0,
        "num_connects": 1,
        "num_headers": len(answer.headers) if answer else 0,
        "num_redirects": transfer.redirects,
        "proxy_ssl_verify_result": 0,
        "redirect_url": urljoin(request.url, location) if location else "",
        "response_code": f"{code:03}",
        "scheme": urlsplit(request.url).scheme.upper(),
        "size_download": size,
        "size_header": len(transfer.head),
        "size_upload": len(request.body),
        "speed_download": int(size / seconds) if seconds else 0,
        "speed_upload": int(len(request.body) / seconds) if seconds else 0,
        "ssl_verify_result": 0,
        **dict.fromkeys(("time_total", "time_starttransfer", "time_pretransfer", "time_connect"), seconds),
        **dict.fromkeys(("time_appconnect", "time_namelookup", "time_redirect"), 0.0),
        "url": transfer.url,
        "url_effective": request.url,
        "urlnum": transfer.number,
    }
