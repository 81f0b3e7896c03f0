"""The command line of `curl`, as its manual has it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

FLAGS = {
    "append": "", "basic": "", "compressed": "", "create-dirs": "", "disable": "q", "fail": "f",
    "fail-early": "", "fail-with-body": "", "get": "G", "globoff": "g", "head": "I", "help": "h",
    "http1.0": "0", "http1.1": "", "http2": "", "include": "i", "insecure": "k", "ipv4": "4", "ipv6": "6",
    "location": "L", "location-trusted": "", "no-buffer": "N", "no-progress-meter": "", "no-clobber": "",
    "path-as-is": "", "post301": "", "post302": "", "post303": "", "progress-bar": "#",
    "remote-header-name": "J", "remote-name": "O", "remote-name-all": "", "retry-all-errors": "",
    "retry-connrefused": "", "show-error": "S", "silent": "s", "ssl-reqd": "", "styled-output": "",
    "no-alpn": "", "no-keepalive": "", "no-npn": "", "no-sessionid": "", "parallel-immediate": "", "ssl-no-revoke": "",
    "ssl-revoke-best-effort": "", "suppress-connect-headers": "", "tcp-fastopen": "", "trace-time": "",
    "tcp-nodelay": "", "tlsv1": "1", "tlsv1.2": "", "tlsv1.3": "", "verbose": "v", "version": "V",
}  # fmt: skip
VALUES = {
    "expect100-timeout": "", "happy-eyeballs-timeout-ms": "", "parallel-max": "", "proto": "", "proto-redir": "",
    "connect-timeout": "", "continue-at": "C", "data": "d", "data-ascii": "", "data-binary": "", "data-raw": "",
    "data-urlencode": "", "dump-header": "D", "form": "F", "form-string": "", "header": "H", "json": "",
    "keepalive-time": "", "limit-rate": "", "max-filesize": "", "max-redirs": "", "max-time": "m",
    "oauth2-bearer": "", "output": "o", "output-dir": "", "range": "r", "request": "X", "retry": "",
    "retry-delay": "", "retry-max-time": "", "speed-limit": "Y", "speed-time": "y",
    "upload-file": "T", "url": "", "url-query": "", "user": "u", "user-agent": "A", "write-out": "w",
}  # fmt: skip
DATA = ("data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json")
FORMS = ("form", "form-string")
# The network door or a page can't do these.
REFUSED = {
    "cookie": "b", "cookie-jar": "c", "referer": "e", "proxy": "x", "proxy-user": "U", "cert": "E", "key": "",
    "cacert": "", "resolve": "", "connect-to": "", "unix-socket": "", "interface": "", "socks5": "",
    "config": "K", "netrc": "n", "digest": "", "ntlm": "", "negotiate": "", "http2-prior-knowledge": "",
    "http3": "", "next": ":", "parallel": "Z", "trace": "", "trace-ascii": "", "libcurl": "", "aws-sigv4": "",
    "time-cond": "z", "quote": "Q", "telnet-option": "t",
}  # fmt: skip
# They are about other protocols, proxies, certificates and connections.
_REFUSED = """
abstract-unix-socket alt-svc anyauth capath cert-status cert-type ciphers compressed-ssh create-file-mode crlf
crlfile curves delegation disable-eprt disable-epsv disallow-username-in-url dns-interface dns-ipv4-addr
dns-ipv6-addr dns-servers doh-cert-status doh-insecure doh-url egd-file engine etag-compare etag-save
false-start form-escape ftp-account ftp-alternative-to-user ftp-create-dirs ftp-method ftp-pasv ftp-pret
ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-ccc-mode ftp-ssl-control haproxy-protocol hostpubmd5 hostpubsha256 hsts
http0.9 http3-only ignore-content-length key-type krb local-port login-options mail-auth mail-from mail-rcpt
mail-rcpt-allowfails metalink netrc-file netrc-optional noproxy ntlm-wb pass pinnedpubkey preproxy proto-default
proxy-anyauth proxy-basic proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile
proxy-digest proxy-header proxy-insecure proxy-key proxy-key-type proxy-negotiate proxy-ntlm proxy-pass
proxy-pinnedpubkey proxy-service-name proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tls13-ciphers
proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-tlsv1 proxy1.0 pubkey random-file rate remove-on-error
request-target sasl-authzid sasl-ir service-name socks4 socks4a socks5-basic socks5-gssapi socks5-gssapi-nec
socks5-gssapi-service socks5-hostname ssl ssl-allow-beast ssl-auto-client-cert tftp-blksize tftp-no-options
tls-max tls13-ciphers tlsauthtype tlspassword tlsuser tlsv1.0 tlsv1.1 tr-encoding xattr
"""
REFUSED.update({
    **dict.fromkeys(_REFUSED.split(), ""),
    "ftp-port": "P", "junk-session-cookies": "j", "list-only": "l", "manual": "M", "proxytunnel": "p",
    "remote-time": "R", "sslv2": "2", "sslv3": "3", "use-ascii": "B",
})  # fmt: skip
_REASONS = {
    "stderr": "redirect the errors: `curl … 2> FILE`",
    "raw": "the browser has decoded the answer already: leave it out",
}
REFUSED.update(dict.fromkeys(_REASONS, ""))
INSTEAD = (
    "requests go through the page's network door: leave it out, "
    "or use a terminal of the computer: terminal_create(backend='host')"
)
SHORT = {short: name for table in (FLAGS, VALUES, REFUSED) for name, short in table.items() if short}
HELP = """
Usage: curl [options...] <url>
 -d, --data <data>           HTTP POST data (@file reads a file)
 -f, --fail                  Fail with exit code 22 on HTTP errors
 -F, --form <name=content>   Multipart form (@file attaches a file)
 -H, --header <header>       Add a header
 -i, --include               Include response headers in the output
 -I, --head                  Show only headers
     --json <data>           HTTP POST JSON
 -L, --location              Follow redirects
 -m, --max-time <seconds>    Time that a transfer may take
 -o, --output <file>         Write to a file
 -O, --remote-name           Write to a file with the remote name
     --retry <num>           Retry transient failures
 -s, --silent                Print no errors (-S prints them)
 -T, --upload-file <file>    PUT a file
 -u, --user <user:password>  Basic authentication
 -w, --write-out <format>    Print information about the transfer
 -X, --request <method>      The method

The user is asked before anything is sent (docs/network.md). Cookies, proxies, client certificates and protocols
other than HTTP aren't possible here.
"""


class WrongUsage(Exception):
    """An error in the command line.

    Args:
        message: The text after `curl: `.
        status: The exit code.
    """

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class Options:
    """The parsed command line.

    Attributes:
        flags: The long names of the flags that are on.
        items: The other options with their values, in order.
        urls: The URLs.
    """

    flags: set[str] = field(default_factory=set[str])
    items: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    urls: list[str] = field(default_factory=list[str])

    def last(self, name: str) -> str | None:
        """Return an option's last value."""
        return next((value for given, value in reversed(self.items) if given == name), None)

    def all(self, *names: str) -> list[tuple[str, str]]:
        """Return the options of these names, with their values, in order."""
        return [item for item in self.items if item[0] in names]

    def number(self, name: str) -> float | None:
        """Return an option's last value as a number."""
        text = self.last(name)
        if text is None:
            return None
        try:
            return float(text)
        except ValueError:
            raise WrongUsage(f"option --{name}: expected a proper numerical parameter") from None


def parse(words: list[str]) -> Options:
    """Parse the arguments.

    Raises:
        WrongUsage: An option is unknown, lacks its value, or isn't possible here.
    """
    options = Options()
    rest = iter(words)
    only_urls = False
    for word in rest:
        if only_urls or not word.startswith("-") or word == "-":
            options.urls.append(word)
        elif word == "--":
            only_urls = True
        elif word.startswith("--"):
            _long(options, word, rest)
        else:
            _cluster(options, word[1:], rest)
    return options


def _long(options: Options, word: str, rest: Iterator[str]) -> None:
    name = word[2:]
    off = name.startswith("no-") and name[3:] in FLAGS and name not in FLAGS
    if off:
        options.flags.discard(name[3:])
        return
    _take(options, name, word, rest, None)


def _cluster(options: Options, letters: str, rest: Iterator[str]) -> None:
    for place, letter in enumerate(letters):
        name = SHORT.get(letter)
        if name is None:
            raise WrongUsage(f"option -{letters}: is unknown")
        if _take(options, name, f"-{letter}", rest, letters[place + 1 :] or None):
            return


def _take(options: Options, name: str, shown: str, rest: Iterator[str], attached: str | None) -> bool:
    """Add an option; return True if it took `attached` as its value."""
    if name in FLAGS:
        options.flags.add(name)
        return False
    if name in REFUSED:
        raise WrongUsage(f"option {shown} isn't supported: {_REASONS.get(name, INSTEAD)}", 4)
    if name not in VALUES:
        raise WrongUsage(f"option {shown}: is unknown")
    value = next(rest, None) if attached is None else attached
    if value is None:
        raise WrongUsage(f"option {shown}: requires parameter")
    if name == "url":
        options.urls.append(value)
    else:
        options.items.append((name, value))
    return True


def check(options: Options) -> None:
    """Refuse options that contradict each other.

    Raises:
        WrongUsage: They do.
    """
    flags = options.flags
    methods = (
        "head" in flags,
        "get" not in flags and bool(options.all(*DATA)),
        bool(options.all(*FORMS)),
        bool(options.all("upload-file")),
    )
    if sum(methods) > 1:
        raise WrongUsage("You can only select one HTTP request method!")
    if {"fail", "fail-with-body"} <= flags:
        raise WrongUsage("You must select either --fail or --fail-with-body, not both.")


def allowed_schemes(text: str | None) -> set[str]:
    """Return the schemes that `--proto` allows, such as `=https` and `-all,https`."""
    every = {"http", "https"}
    allowed = set(every)
    for part in (text or "").split(","):
        sign, name = (part[0], part[1:]) if part[:1] in ("=", "+", "-") else ("+", part)
        named = every if name == "all" else every & {name}
        if sign == "=":
            allowed = set(named)
        elif sign == "-":
            allowed -= named
        else:
            allowed |= named
    return allowed
