"""wget: download files. Options, messages and exit codes follow GNU wget's manual."""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from urllib.parse import unquote, urlsplit

from gemini_userland.clock import zone_of
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
from gemini_userland.options import Arguments, Number, Syntax

AGENT = "Wget/1.25.0"
GENERIC, WRONG_USAGE, FILE_ERROR, NETWORK, CERTIFICATE, LOGIN, PROTOCOL, SERVER = range(1, 9)
UNAUTHORIZED, FAILED_STATUS = 401, 400
MAX_REDIRECTS = 20
EXITS = {"certificate": CERTIFICATE}
HELP = """
Usage: wget [OPTION]... [URL]...

  -O,  --output-document=FILE  write documents to FILE (- is standard output)
  -P,  --directory-prefix=DIR  save files to DIR
  -i,  --input-file=FILE       download the URLs in FILE
  -nc, --no-clobber            skip downloads to existing files
  -q,  --quiet                 print nothing
  -nv, --no-verbose            print less
  -S,  --server-response       print the server's response
  -T,  --timeout=SECONDS       how long to wait for an answer
  -U,  --user-agent=AGENT      identify as AGENT
       --spider                don't download anything
       --header=STRING         add a header
       --method=METHOD, --body-data=STRING, --body-file=FILE
       --post-data=STRING, --post-file=FILE
       --user=USER, --password=PASS, --content-disposition, --content-on-error, --max-redirect=NUMBER

The user is asked before anything is sent (docs/network.md). Files can't be continued (-c), and pages not be followed
(-r, -m, -p, -k).
"""
# These exist only as pairs of letters.
PAIRS = {
    "-nc": "--no-clobber",
    "-nv": "--no-verbose",
    "-nd": "--no-directories",
    "-nH": "--no-host-directories",
    "-np": "--no-parent",
}
IMPOSSIBLE = {
    "c": "-c: a file can't be continued here; download it again",
    "r": "-r: pages can't be followed here; name the files",
}
INSTEAD = "leave it out, or use a terminal of the computer: terminal_create(backend='host')"
_WITHOUT_EFFECT = """
no-http-keep-alive no-dns-cache no-iri no-glob no-config no-netrc random-wait no-passive-ftp strict-comments
ignore-length no-if-modified-since
"""
# They are about many pages, other protocols, proxies, certificates and cookies.
_REFUSED = """
debug force-html no-use-server-timestamps ignore-case inet6-only ask-password unlink xattr force-directories
protocol-directories adjust-extension keep-session-cookies hsts-file no-remove-listing preserve-permissions
retr-symlinks ftps-implicit ftps-resume-ssl ftps-clear-data-connection ftps-fallback-to-ftp warc-cdx
no-warc-compression no-warc-digests no-warc-keep-log delete-after convert-file-only backup-converted follow-ftp
span-hosts relative execute report-speed base config rejected-log retry-on-http-error start-pos quota
bind-address limit-rate restrict-file-names use-askpass local-encoding remote-encoding cut-dirs default-page
proxy-user proxy-password referer load-cookies save-cookies secure-protocol certificate certificate-type
private-key private-key-type ca-certificate ca-directory crl-file pinnedpubkey ciphers ftp-user ftp-password
warc-file warc-header warc-max-size warc-dedup warc-tempdir level backups accept reject accept-regex
reject-regex regex-type domains exclude-domains follow-tags ignore-tags include-directories exclude-directories
"""
REFUSED = {
    **dict.fromkeys([*_REFUSED.split(), *"edFBQxElKARDHLIX"], INSTEAD),
    **dict.fromkeys(("b", "background"), "run `wget … &`"),
    **dict.fromkeys(("o", "output-file"), "redirect it with `2> FILE`"),
    **dict.fromkeys(("a", "append-output"), "redirect it with `2>> FILE`"),
    "save-headers": "use `curl -i`",
    "https-only": "write URLs with https://",
}
SYNTAX = Syntax(
    help=HELP,
    refused=REFUSED,
    short="O:P:i:qvST:t:w:U:ncrmpkNV46",
    long={
        "output-document=": "O", "directory-prefix=": "P", "input-file=": "i", "quiet": "q", "verbose": "v",
        "server-response": "S", "timeout=": "T", "connect-timeout=": "T", "read-timeout=": "T", "tries=": "t",
        "wait=": "w", "user-agent=": "U", "no-clobber": "no-clobber", "no-verbose": "no-verbose",
        "no-directories": "ignored", "no-host-directories": "ignored", "spider": "spider", "header=": "header",
        "method=": "method", "body-data=": "body", "body-file=": "body-file", "post-data=": "post",
        "post-file=": "post-file", "user=": "user", "password=": "password", "http-user=": "user",
        "http-password=": "password", "auth-no-challenge": "preemptive", "content-disposition": "named",
        "content-on-error": "on-error", "max-redirect=": "redirects", "no-check-certificate": "ignored",
        "progress=": "ignored", "show-progress": "ignored", "no-cache": "ignored", "no-cookies": "ignored",
        "no-hsts": "ignored", "no-proxy": "ignored", "inet4-only": "4", "continue": "c", "recursive": "r",
        "mirror": "r", "page-requisites": "r", "convert-links": "r", "trust-server-names": "trust",
        "retry-connrefused": "ignored", "no-parent": "ignored", "compression=": "ignored", "timestamping": "N",
        **dict.fromkeys(_WITHOUT_EFFECT.split(), "ignored"),
        "dns-timeout=": "ignored", "waitretry=": "ignored", "prefer-family=": "ignored",
    },
    numbers={"redirects": Number("--max-redirect: Invalid number ‘{}’.")},
    wrong_usage=WRONG_USAGE,
    answer={"V": "version"},
    version=f"GNU {AGENT.replace('/', ' ')}, of the page",
)  # fmt: skip


class Failed(Exception):
    """A download that failed; `status` is the exit code."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def wget(invocation: Invocation, send: Send) -> int:
    """Download all URLs of the command line; return the lowest exit code of a failure, as wget does."""
    given = SYNTAX.parse(invocation, [PAIRS.get(word, word) for word in invocation.argv[1:]])
    if isinstance(given, int):
        return given
    for letter in ("c", "r", "m", "p", "k"):
        if letter in given:
            invocation.error(IMPOSSIBLE.get(letter, IMPOSSIBLE["r"]))
            return WRONG_USAGE
    urls = [*given.operands, *_list(invocation, given)]
    if not urls and "i" in given:
        invocation.error(f"No URLs found in {given.last('i')}.")
        return 0
    if "method" not in given and ("body" in given or "body-file" in given):
        invocation.error(
            "You need to specify a method through --method=HTTPMethod to use with --body-data or --body-file."
        )
        return GENERIC
    if not urls:
        invocation.error("missing URL")
        invocation.stderr.write(b"Usage: wget [OPTION]... [URL]...\n\nTry `wget --help' for more options.\n")
        return GENERIC
    return await _Wget(invocation, given, send).run(urls)


def _list(invocation: Invocation, given: Arguments) -> list[str]:
    path = given.last("i")
    if path is None:
        return []
    try:
        return _content(invocation, path).decode("utf-8", "replace").split()
    except Failed as failure:
        # GNU's continues with the URLs of the command line.
        invocation.error(str(failure))
        return []


def _content(invocation: Invocation, path: str) -> bytes:
    if path == "-":
        return invocation.stdin
    try:
        with open(invocation.path(path), "rb") as file:
            return file.read()
    except OSError as error:
        raise Failed(FILE_ERROR, f"{path}: {error.strerror}") from error


class _Wget:
    def __init__(self, invocation: Invocation, given: Arguments, send: Send) -> None:
        self._invocation = invocation
        self._given = given
        self._send = send
        self._zone = zone_of(invocation)
        self._together: list[bytes] = []

    async def run(self, urls: list[str]) -> int:
        failures: list[int] = []
        for url in urls:
            try:
                await self._download(url)
            except Failed as failure:
                self._say(str(failure), brief=True)
                failures.append(failure.status)
        if (path := self._given.last("O")) not in (None, "-") and "spider" not in self._given:
            try:
                self._write(path, b"".join(self._together))
            except Failed as failure:
                self._say(str(failure), brief=True)
                failures.append(GENERIC)
        return min(failures, default=0)

    async def _download(self, url: str) -> None:
        request = self._request(url)
        target = self._target(request.url, None)
        if (
            "no-clobber" in self._given
            and target is not None
            and os.path.exists(self._invocation.path(target))
        ):
            self._say(f"File ‘{target}’ already there; not retrieving.\n")
            return
        last, answer = await self._answer(request, self._credentials(url))
        failed = answer.status >= FAILED_STATUS
        if "spider" in self._given and not failed:
            self._say("Remote file exists.\n")
            return
        if not failed or ("on-error" in self._given and "spider" not in self._given):
            kind = (answer.header("content-type") or "application/octet-stream").partition(";")[0]
            self._say(f"Length: {len(answer.body)} [{kind}]")
            self._save(last if "trust" in self._given else request, answer)
        if failed:
            status = LOGIN if answer.status == UNAUTHORIZED else SERVER
            broken = "Remote file does not exist -- broken link!!!\n"
            error = f"{self._now()} ERROR {answer.status}: {answer.reason}.\n"
            raise Failed(status, broken if "spider" in self._given else error)

    def _save(self, request: Request, answer: Response) -> None:
        if (path := self._given.last("O")) is not None:
            # Several documents become one.
            self._together.append(answer.body)
            if path == "-":
                self._invocation.stdout.write(answer.body)
        else:
            path = self._unused(self._target(request.url, answer) or "index.html")
            self._write(path, answer.body)
        self._say(f"Saving to: ‘{'STDOUT' if path == '-' else path}’\n")
        size = len(answer.body)
        self._say(f"{self._now()} - ‘{path}’ saved [{size}/{size}]\n")
        if "no-verbose" in self._given:
            self._say(f'{self._now()[1:-1]} URL:{request.url} [{size}/{size}] -> "{path}" [1]', brief=True)

    # --- The request ---

    def _request(self, url: str) -> Request:
        given = self._given
        whole = with_scheme(url).partition("#")[0]
        parts = urlsplit(whole)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Failed(GENERIC, f"{url}: Unsupported scheme or invalid host name.")
        headers = [("User-Agent", given.last("U", AGENT)), ("Accept", "*/*")]
        body, method = b"", "GET"
        if (text := given.last("post")) is not None:
            body, method = os.fsencode(text), "POST"
        elif (path := given.last("post-file")) is not None:
            body, method = _content(self._invocation, path), "POST"
        elif (text := given.last("body")) is not None:
            body = os.fsencode(text)
        elif (path := given.last("body-file")) is not None:
            body = _content(self._invocation, path)
        if body or method == "POST":
            headers.append(("Content-Type", "application/x-www-form-urlencoded"))
        if "preemptive" in given:
            headers += self._credentials(url)
        merged = {name.lower(): (name, value) for name, value in headers}
        for line in given.all("header"):
            name, _, value = line.partition(":")
            merged[name.strip().lower()] = (name.strip(), value.strip())
        method = "HEAD" if "spider" in given else given.last("method", method).upper()
        clean = parts._replace(netloc=parts.netloc.rpartition("@")[2], path=parts.path or "/")
        return Request(clean.geturl(), method, tuple(merged.values()), body)

    def _credentials(self, url: str) -> list[tuple[str, str]]:
        """Return the header with the user's name and password, if there are some."""
        parts = urlsplit(with_scheme(url))
        user = self._given.last("user") or parts.username
        if user is None:
            return []
        secret = self._given.last("password") or parts.password or ""
        encoded = base64.b64encode(os.fsencode(f"{unquote(user)}:{secret}")).decode()
        return [("Authorization", f"Basic {encoded}")]

    async def _answer(
        self, request: Request, credentials: Sequence[tuple[str, str]]
    ) -> tuple[Request, Response]:
        """Return the answer behind all redirects, and its request; the password goes to a server that asks."""
        given = {name.lower() for name, _ in request.headers}
        origin = urlsplit(request.url)[:2]
        limit = self._given.last("T")
        self._say(f"--{self._now()[1:-1]}--  {request.url}")
        for _ in range(self._given.number("redirects", MAX_REDIRECTS) + 1):
            try:
                answer = await within(float(limit) if limit else None, self._send, request)
            except ValueError:
                raise Failed(WRONG_USAGE, f"-T: Invalid time period ‘{limit}’") from None
            except NoAnswer as problem:
                raise Failed(EXITS.get(problem.kind, NETWORK), f"failed: {problem}.") from problem
            self._say(f"HTTP request sent, awaiting response... {answer.status} {answer.reason}")
            if "S" in self._given:
                self._say(
                    "".join(f"  {line}\n" for line in answer.head().decode("latin-1").split("\r\n") if line)
                )
            challenged = (answer.header("www-authenticate") or "").lower().startswith("basic")
            own = urlsplit(request.url)[:2] == origin and "authorization" not in given
            if answer.status == UNAUTHORIZED and challenged and own and credentials:
                return await self._answer(replace(request, headers=(*request.headers, *credentials)), ())
            if not answer.redirects:
                return request, answer
            request = replace(request.redirected(answer))
            self._say(f"Location: {request.url} [following]")
        raise Failed(SERVER, f"{self._given.number('redirects', MAX_REDIRECTS)} redirections exceeded.")

    # --- Output ---

    def _target(self, url: str, answer: Response | None) -> str | None:
        if self._given.last("O") is not None:
            return None
        parts = urlsplit(url)
        named = disposition_name(answer) if answer is not None and "named" in self._given else ""
        name = named or (unquote(file_name(url)) or "index.html") + (f"?{parts.query}" if parts.query else "")
        return os.path.join(self._given.last("P") or "", name.replace("/", "_"))

    def _unused(self, path: str) -> str:
        candidate, number = path, 0
        while os.path.exists(self._invocation.path(candidate)):
            number += 1
            candidate = f"{path}.{number}"
        return candidate

    def _write(self, path: str | None, content: bytes) -> None:
        whole = self._invocation.path(path or "")
        try:
            if self._given.last("P"):
                os.makedirs(os.path.dirname(whole), exist_ok=True)
            with self._invocation.create(whole) as file:
                file.write(content)
        except OSError as error:
            raise Failed(FILE_ERROR, f"{path}: {error.strerror}") from error

    def _say(self, text: str, *, brief: bool = False) -> None:
        if "q" not in self._given and (brief or "no-verbose" not in self._given):
            self._invocation.stderr.write(f"{text}\n".encode())

    def _now(self) -> str:
        return f"{datetime.now(self._zone):(%Y-%m-%d %H:%M:%S)}"
