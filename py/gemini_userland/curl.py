"""curl: transfer data from or to a URL. Options, messages and exit codes follow curl's manual."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import AsyncGenerator
from dataclasses import replace
from urllib.parse import urlsplit

from gemini_userland import curl_body as bodies
from gemini_userland.curl_options import HELP, Options, WrongUsage, check, parse
from gemini_userland.curl_report import written
from gemini_userland.curl_request import AGENT, MALFORMED, Failed, check_scheme, request
from gemini_userland.curl_transfer import Transfer
from gemini_userland.curl_urls import Malformed, Target, expand
from gemini_userland.http import (
    NoAnswer,
    Request,
    Response,
    Send,
    disposition_name,
    file_name,
    with_scheme,
    within,
)
from gemini_userland.invocation import Invocation

WRITE, HTTP_ERROR, NO_RANGES, TOO_LARGE, TOO_MANY = 23, 22, 33, 63, 47
EXITS = {"unknown host": 6, "no connection": 7, "refused": 7, "slow": 28, "broken": 56, "certificate": 60}
TRANSIENT = {408, 429, 500, 502, 503, 504}
MAX_REDIRECTS, MOST_NAMES = 50, 100
LONGEST_DELAY_S = 600.0
COMPLETE, FAILED_STATUS, BEYOND_END = 200, 400, 416


async def curl(invocation: Invocation, send: Send) -> int:
    """Transfer all URLs of the command line; return the exit code of the last failure, as curl does."""
    try:
        options = parse(invocation.argv[1:])
        if "help" in options.flags or "version" in options.flags:
            version = f"{AGENT.replace('/', ' ')} ({sys.platform}), of the page"
            invocation.print(version if "version" in options.flags else HELP.strip("\n"))
            return 0
        if not options.urls:
            raise WrongUsage("no URL specified!")
        check(options)
        return await _Curl(invocation, options, send).run()
    except WrongUsage as wrong:
        invocation.error(str(wrong))
        if wrong.status in (2, 4):
            invocation.error("try 'curl --help' for more information")
        return wrong.status


class _Curl:
    def __init__(self, invocation: Invocation, options: Options, send: Send) -> None:
        self._invocation = invocation
        self._options = options
        self._flags = options.flags
        self._send = send
        self._outputs = [value for _, value in options.all("output")]

    async def run(self) -> int:
        status = 0
        options = self._options
        targets: list[Target] = []
        try:
            for number, url in enumerate(options.urls):
                targets += [Target(url, (), number)] if "globoff" in self._flags else expand(url, number)
        except Malformed as wrong:
            self._complain(MALFORMED, str(wrong))
            return MALFORMED
        for number, target in enumerate(targets):
            transfer = Transfer(target, target.url, Request(target.url, "GET"), number)
            try:
                await self._transfer(transfer)
            except Failed as failure:
                transfer.status, transfer.message = failure.status, str(failure)
                self._complain(failure.status, str(failure))
                status = failure.status
            else:
                status = 0
            transfer.seconds = time.monotonic() - transfer.started
            self._report(transfer)
            if status and "fail-early" in self._flags:
                break
        return status

    async def _transfer(self, transfer: Transfer) -> None:
        output = self._output(transfer)
        transfer.partial = self._continued(output)
        transfer.request = request(self._invocation, self._options, transfer.url, transfer.partial)
        transfer.partly = self._shows_pieces(output)
        begun = time.monotonic()
        answer = await self._retry(transfer)
        failed = answer.status >= FAILED_STATUS and bool(self._flags & {"fail", "fail-with-body"})
        limit = self._options.number("max-filesize")
        if limit is not None and len(answer.body) > limit:
            raise Failed(TOO_LARGE, "Maximum file size exceeded")
        if transfer.partial and answer.status == COMPLETE:
            raise Failed(NO_RANGES, "HTTP server doesn't seem to support byte ranges. Cannot resume.")
        with_body = not failed or "fail-with-body" in self._flags
        self._save(transfer, output, answer, with_body=with_body)
        if answer.rest is not None:
            await self._show_rest(answer.rest, begun, with_body=with_body and "head" not in self._flags)
        if failed:
            raise Failed(HTTP_ERROR, f"The requested URL returned error: {answer.status}")

    def _continued(self, output: str | None) -> int:
        """Return where `-C` continues a download: at a number, or at the end of the file that is there."""
        place = self._options.last("continue-at")
        if place is None:
            return 0
        if place != "-":
            return int(self._options.number("continue-at") or 0)
        path = None if output is None else self._invocation.path(output)
        return os.path.getsize(path) if path and os.path.exists(path) else 0

    def _shows_pieces(self, output: str | None) -> bool:
        """Return whether the body is printed while it arrives: nothing else needs all of it."""
        needed = ("retry", "max-filesize", "write-out")
        return output is None and not any(self._options.last(name) for name in needed)

    async def _show_rest(self, rest: AsyncGenerator[bytes], begun: float, *, with_body: bool) -> None:
        limit = self._options.number("max-time")
        received = 0
        try:
            async with asyncio.timeout(None if limit is None else max(begun + limit - time.monotonic(), 0)):
                async with contextlib.aclosing(rest):
                    while with_body and (piece := await anext(rest, b"")):
                        received += len(piece)
                        self._invocation.stdout.write(piece)
        except TimeoutError as late:
            spent = round((time.monotonic() - begun) * 1000)
            text = f"Operation timed out after {spent} milliseconds with {received} bytes received"
            raise Failed(EXITS["slow"], text) from late
        except NoAnswer as problem:
            raise Failed(EXITS[problem.kind], str(problem)) from problem

    # --- Sending ---

    async def _retry(self, transfer: Transfer) -> Response:
        left = int(self._options.number("retry") or 0)
        delay, pause = self._options.number("retry-delay"), 1.0
        while True:
            try:
                answer = await self._follow(transfer)
            except Failed as failure:
                again = failure.status == EXITS["slow"] or "retry-all-errors" in self._flags
                again |= failure.status == EXITS["no connection"] and "retry-connrefused" in self._flags
                if not left or not again:
                    raise
                problem = str(failure)
            else:
                if not left or answer.status not in TRANSIENT:
                    return answer
                problem = "HTTP error"
                self._save(transfer, self._output(transfer), answer, with_body="fail" not in self._flags)
                after = answer.header("retry-after") or ""
                pause = float(after) if after.isdigit() else pause
            wait = min(pause if delay is None else delay, LONGEST_DELAY_S)
            if "silent" not in self._flags or "show-error" in self._flags:
                text = f"Warning: Problem: {problem}. Will retry in {wait:g} seconds. {left} retries left.\n"
                self._invocation.stderr.write(text.encode())
            await asyncio.sleep(wait)
            left, pause = left - 1, pause * 2
            transfer.head, transfer.redirects = b"", 0
            transfer.request = request(self._invocation, self._options, transfer.url, transfer.partial)

    async def _follow(self, transfer: Transfer) -> Response:
        allowed = self._options.number("max-redirs")
        allowed = MAX_REDIRECTS if allowed is None else allowed
        deadline = self._options.number("max-time")
        ends = None if deadline is None else time.monotonic() + deadline
        while True:
            self._trace(transfer.request)
            left = None if ends is None else max(ends - time.monotonic(), 0)
            answer = await self._answer(transfer, left)
            transfer.answer = answer
            transfer.head += answer.head()
            self._verbose("<", answer.head())
            if not (answer.redirects and self._flags & {"location", "location-trusted"}):
                return answer
            if 0 <= allowed <= transfer.redirects:
                self._save(transfer, self._output(transfer), answer, with_body=False)
                raise Failed(TOO_MANY, f"Maximum ({allowed:g}) redirects followed")
            await answer.completed()
            transfer.redirects += 1
            before = transfer.request
            keep = f"post{answer.status}" in self._flags
            following = before.redirected(answer, keep_method=keep)
            if self._options.last("request") is not None:
                following = replace(following, method=before.method)
            if "location-trusted" in self._flags:
                following = replace(following, headers=before.headers)
            check_scheme(self._options.last("proto-redir"), urlsplit(following.url).scheme)
            transfer.request = following

    async def _answer(self, transfer: Transfer, seconds: float | None) -> Response:
        request = transfer.request
        begun = time.monotonic()
        try:
            return await within(seconds, self._send, request, partly=transfer.partly)
        except NoAnswer as problem:
            spent = round((time.monotonic() - begun) * 1000)
            parts = urlsplit(request.url)
            port = parts.port or {"https": 443}.get(parts.scheme, 80)
            text = {
                "unknown host": f"Could not resolve host: {parts.hostname}",
                "slow": f"Operation timed out after {spent} milliseconds with 0 bytes received",
                "no connection": f"Failed to connect to {parts.hostname} port {port} after {spent} ms: {problem}",
            }.get(problem.kind, str(problem))
            raise Failed(EXITS[problem.kind], text) from problem

    # --- Output ---

    def _output(self, transfer: Transfer) -> str | None:
        """Return the path that a transfer is written to; None for standard output."""
        folder = self._options.last("output-dir")
        if transfer.target.argument < len(self._outputs):
            name = transfer.target.named(self._outputs[transfer.target.argument])
        elif self._flags & {"remote-name", "remote-name-all"}:
            found = (
                transfer.answer and "remote-header-name" in self._flags and disposition_name(transfer.answer)
            )
            name = found or file_name(with_scheme(transfer.url))
            if not name:
                raise Failed(WRITE, "Remote file name has no length")
        else:
            return None
        return None if name == "-" else os.path.join(folder or "", name)

    def _save(self, transfer: Transfer, output: str | None, answer: Response, *, with_body: bool) -> None:
        heads = transfer.head if self._flags & {"include", "head"} else b""
        content = heads + (answer.body if with_body and "head" not in self._flags else b"")
        if (target := self._options.last("dump-header")) is not None:
            self._write(None if target == "-" else target, transfer.head)
        if "remote-header-name" in self._flags:
            output = self._output(transfer)
        transfer.file = output or ""
        if output is None or content or with_body:
            # What a file continues with is nothing where it is complete.
            self._write(
                output, b"" if transfer.partial and answer.status == BEYOND_END else content, transfer.partial
            )

    def _write(self, path: str | None, content: bytes, partial: int = 0) -> None:
        if path is None:
            self._invocation.stdout.write(content)
            return
        whole = self._invocation.path(path)
        if "no-clobber" in self._flags and os.path.exists(whole):
            unused = (f"{whole}.{number}" for number in range(1, MOST_NAMES + 1))
            whole = next((name for name in unused if not os.path.exists(name)), whole)
        try:
            if "create-dirs" in self._flags:
                os.makedirs(os.path.dirname(whole), exist_ok=True)
            if partial:
                content = bodies.read(self._invocation, whole)[:partial] + content
            with self._invocation.create(whole) as file:
                file.write(content)
        except OSError as error:
            raise Failed(WRITE, f"Failure writing output to destination: {path}: {error.strerror}") from error

    def _report(self, transfer: Transfer) -> None:
        if (pattern := self._options.last("write-out")) is None:
            return
        if pattern.startswith("@"):
            pattern = bodies.read(self._invocation, pattern[1:]).translate(None, b"\r\n").decode()
        out, error = written(pattern, transfer)
        self._invocation.stdout.write(out)
        self._invocation.stderr.write(error)

    def _trace(self, request: Request) -> None:
        parts = urlsplit(request.url)
        target = parts._replace(scheme="", netloc="").geturl() or "/"
        lines = [f"{request.method} {target} HTTP/1.1", f"Host: {parts.netloc}"]
        lines += [f"{name}: {value}" for name, value in request.headers]
        self._verbose(">", "".join(f"{line}\r\n" for line in [*lines, ""]).encode("latin-1", "replace"))

    def _verbose(self, mark: str, head: bytes) -> None:
        if "verbose" in self._flags:
            for line in head.decode("latin-1").split("\r\n")[:-1]:
                self._invocation.stderr.write(f"{mark} {line}\n".encode())

    def _complain(self, status: int, message: str) -> None:
        if "silent" not in self._flags or "show-error" in self._flags:
            self._invocation.error(f"({status}) {message}")
