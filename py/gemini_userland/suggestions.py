"""Suggestions where a command is missing: the nearest command, or where to run it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

HOST = "the computer may have it: terminal_create(backend='host'), where the companion runs and the user allows it"
SOCKETS = "a page has no sockets"
# Programs of Linux's disk (builder/linux/disk.txt) that this shell lacks; not those that need a terminal, or are
# about its own processes and devices.
_OF_LINUX = """
addr2line apt apt-cache apt-config apt-get apt-mark ar as bunzip2 bzcat bzdiff bzgrep bzip2
c89 c99 cc cpan cpp dash diff3 dircolors dpkg dpkg-deb dpkg-query e2fsck fallocate fincore
gcc gcc-12 gcc-ar gcc-nm gcc-ranlib gcov gencat getconf getent git-receive-pack git-upload-pack gmake
gold gpgv gprof hardlink hostid infocmp json_pp ld ldconfig ldd link locale localedef lscpu lzcat lzma
mawk mcookie mkfs.ext4 mknod namei nawk nm objcopy objdump perl perldoc pod2man pod2text prove
ptx python3.11 ranlib readelf rgrep run-parts sdiff shasum shred size ssh-keygen strace strip
tic tput uncompress unlzma unxz update-alternatives whereis xz xzcat xzdiff xzgrep zcmp zdiff zdump
zegrep zfgrep zgrep zipgrep zipinfo znew
"""
OF_LINUX = frozenset(_OF_LINUX.split())
RUNS = "runs it in the Linux of this page, in the same folder of /project"
# Programs in Python alone whose package has their name, and those whose package has another.
_OF_PIP = """
autopep8 bandit black codespell cookiecutter coverage djlint flake8 ipython isort mkdocs mypy pdoc pycodestyle
pydocstyle pyflakes pygmentize pylint pytest sqlfluff twine vulture yamllint yapf
"""
PACKAGES = {
    **{name: name for name in _OF_PIP.split()},
    **{"ipython3": "ipython", "py.test": "pytest", "pygmentize": "pygments", "sphinx-build": "sphinx"},
    **{"django-admin": "django", "flask": "flask", "http": "httpie", "pyproject-build": "build"},
}
_TABLES = """
mlr csvkit csvcut csvlook csvsort csvgrep csvstat xsv qsv visidata vd
"""
_COMPILERS = """
gcc g++ cc c++ clang clang++ rustc cargo rustup cmake ld as gdb nasm zig lldb valgrind objdump readelf nm
"""
_CONTAINERS = """
docker docker-compose podman kubectl helm minikube vagrant qemu-system-x86_64
"""
_PACKAGERS = """
apt apt-get apt-cache dpkg yum dnf apk brew snap pacman zypper flatpak port nix nix-shell choco winget scoop
"""
_MEDIA = """
ffmpeg ffprobe sox pandoc latex pdflatex soffice libreoffice dot inkscape pdftoppm exiftool yt-dlp youtube-dl
"""
_NETWORK = """
ping nc ncat netcat socat scp sftp rsync dig nslookup ip ifconfig ipconfig route tcpdump nmap whois
ssh ssh-copy-id ssh-keygen iptables ufw mosh telnet ftp host
"""
_COMMANDS = {
    **dict.fromkeys(("fd", "fdfind"), "find . -name 'PATTERN', or rg --files -g 'PATTERN'"),
    **dict.fromkeys(("bat", "batcat"), "cat -n FILE"),
    **dict.fromkeys(("exa", "eza", "lsd"), "ls, or tree"),
    **dict.fromkeys(("ag", "ack", "ack-grep", "ripgrep"), "rg, or grep -rn"),
    **dict.fromkeys(("locate", "mlocate", "plocate", "updatedb"), "find / -name 'PATTERN'"),
    **dict.fromkeys(("sd",), "sed -i 's/OLD/NEW/g' FILE"),
    **dict.fromkeys(("choose",), "cut -d ' ' -f N, or awk '{print $N}'"),
    **dict.fromkeys(("dust", "duf", "ncdu"), "du -h, or df -h"),
    **dict.fromkeys(("procs", "tasklist"), "ps -e"),
    **dict.fromkeys(("tokei", "cloc", "scc"), "find . -name '*.py' | xargs wc -l"),
    **dict.fromkeys(("shellcheck", "shfmt"), "bash -n FILE, which finds errors of syntax"),
    **dict.fromkeys(("direnv", "dotenv"), "set -a; source FILE"),
    **dict.fromkeys(("hg", "svn", "jj", "lazygit", "tig", "gitui"), "git, such as git log --graph --oneline"),
    **dict.fromkeys(("httpie", "grpcurl"), "curl"),
    **dict.fromkeys(("duckdb", "sqlite", "litecli"), "sqlite3"),
    **dict.fromkeys(("tldr", "cheat", "info", "apropos", "whatis"), "man NAME, or man -k WORD"),
    **dict.fromkeys(("gnuplot",), "pip install matplotlib"),
    **dict.fromkeys(("pv",), "cat"),
    **dict.fromkeys(("lz4", "brotli", "pigz", "lzop"), "gzip, or Python's zlib and lzma"),
    **dict.fromkeys(("gron", "jless", "fx", "dasel", "tomlq"), "jq, or yq"),
    **dict.fromkeys(("htmlq", "pup", "xq"), "python3 with html.parser or xml.etree"),
    **dict.fromkeys(("broot", "ranger", "mc", "nnn"), "tree, and ls"),
    **dict.fromkeys(("zoxide", "autojump"), "cd"),
    **dict.fromkeys(("rga",), "rg, and the tool file_read for PDF files"),
    **dict.fromkeys(("powershell", "cmd", "cscript"), "bash"),
    **dict.fromkeys(("where",), "which"),
    **dict.fromkeys(("findstr",), "grep"),
    **dict.fromkeys(("tput",), "printf, such as printf '\\033[1m'"),
    **dict.fromkeys(("nodemon", "watchexec"), "watch COMMAND"),
    **dict.fromkeys(("serve", "http-server", "live-server"), "python3 -m http.server PORT"),
    **dict.fromkeys(("pydoc", "pydoc3"), "python3 -m pydoc NAME"),
    **dict.fromkeys(
        ("jupyter", "jupyter-lab", "jupyter-notebook", "bpython", "ptpython"),
        "python3, or the tool python_run",
    ),
    **dict.fromkeys(("virtualenv", "venv"), "pip install NAME: there is one environment"),
    **dict.fromkeys(
        ("asdf", "mise", "nvm", "pyenv", "rbenv", "rvm", "fnm", "volta"),
        "python3 and node: there is one version of each",
    ),
    **dict.fromkeys(("sar", "iostat", "vmstat", "mpstat"), "top, or free"),
    **dict.fromkeys(
        ("lspci", "lsusb", "lshw", "dmidecode"), "uname -a, nproc and free: a page sees no hardware"
    ),
    **dict.fromkeys(("ldd",), "file FILE"),
    **dict.fromkeys(("traceroute", "mtr"), "curl -v: a page has only HTTP requests"),
    **dict.fromkeys(("fzf", "peco"), "grep, because nobody chooses here"),
    **dict.fromkeys(("python2", "pypy", "pypy3", "py"), "python3"),
    **dict.fromkeys(("pip2", "easy_install", "pipx", "conda", "mamba"), "pip install NAME"),
    **dict.fromkeys(
        ("uv", "uvx", "poetry", "pipenv", "pdm", "hatch", "rye", "tox", "nox"),
        "pip install NAME, pip install -r FILE, pip install -e . and python3 FILE: there is one environment",
    ),
    **dict.fromkeys(
        ("ruff", "pyright", "pre-commit"), "pip install flake8 black mypy, which are Python alone"
    ),
    **dict.fromkeys(
        ("code", "subl", "gedit", "idea", "micro", "ed", "ex", "emacs"), "edit FILE, or the tool file_edit"
    ),
    **dict.fromkeys(("hub", "glab"), "git, and curl to the host's API"),
    **dict.fromkeys(("delta", "colordiff", "vimdiff", "icdiff"), "diff -u, or git diff --no-index"),
    **dict.fromkeys(("zsh", "fish", "ksh", "ash", "dash", "csh", "tcsh", "pwsh"), "bash"),
    **dict.fromkeys(("gawk", "nawk", "mawk"), "awk"),
    **dict.fromkeys(("gsed", "ssed"), "sed"),
    **dict.fromkeys(("nodejs", "ts-node", "tsx"), "node, which runs JavaScript"),
    **dict.fromkeys(
        ("pbcopy", "pbpaste", "xclip", "xsel", "wl-copy", "wl-paste", "clip", "clip.exe"), "files, and pipes"
    ),
    **dict.fromkeys(
        ("open", "xdg-open", "firefox", "chromium", "google-chrome"), "the tool browser_navigate"
    ),
    **dict.fromkeys(("aria2c", "axel", "lynx", "w3m", "links", "xh"), "curl, or wget"),
    **dict.fromkeys(
        ("7z", "7za", "unrar", "rar", "zstd"), "tar, gzip or unzip, or Python's zipfile and lzma"
    ),
    **dict.fromkeys(("xz", "unxz", "xzcat"), "python3 with the module lzma, or tar -xJf FILE"),
    **dict.fromkeys(("bzip2", "bunzip2", "bzcat"), "python3 with the module bz2, or tar -xjf FILE"),
    **dict.fromkeys(("dos2unix",), "sed -i 's/\\r$//' FILE"),
    **dict.fromkeys(("unix2dos",), "sed -i 's/$/\\r/' FILE"),
    **dict.fromkeys(("rename", "prename", "mmv"), 'a loop: for f in *.a; do mv "$f" "${f%.a}.b"; done'),
    **dict.fromkeys(("parallel",), "xargs -P N"),
    **dict.fromkeys(("expect", "unbuffer"), "printf 'ANSWER\\n' | COMMAND, or the tool terminal_input"),
    **dict.fromkeys(
        ("tmux", "screen", "zellij"), "COMMAND &, or the tool terminal_create for another terminal"
    ),
    **dict.fromkeys(("ab", "wrk", "hey", "k6", "locust"), "a loop of curl -w '%{time_total}'"),
    **dict.fromkeys(("hf", "huggingface-cli", "wandb", "dvc"), "curl to the service's API"),
    **dict.fromkeys(("sponge",), "COMMAND > new && mv new FILE"),
    **dict.fromkeys(("entr", "inotifywait", "fswatch"), "watch COMMAND"),
    **dict.fromkeys(
        _TABLES.split(),
        "sqlite3, awk or python3 with the module csv",
    ),
    **dict.fromkeys(("xmllint", "xmlstarlet", "xsltproc", "tidy"), "python3 with the module xml.etree"),
    **dict.fromkeys(("gdate", "gls", "ggrep", "gcp", "gstat"), "the command without its g, which is GNU's"),
    **dict.fromkeys(("just", "task", "ninja", "meson", "bazel"), "make, or bash"),
    **dict.fromkeys(("hyperfine",), "time COMMAND"),
    **dict.fromkeys(("dc", "qalc"), "bc, or python3 -c"),
    **dict.fromkeys(("pdftotext",), "the tool file_read, or pip install pypdf"),
    **dict.fromkeys(("convert", "magick", "identify", "mogrify"), "pip install pillow"),
    **dict.fromkeys(("neofetch", "lsb_release", "hostnamectl", "lscpu"), "uname -a, nproc and free"),
    **dict.fromkeys(("netstat", "ss"), "lsof -i"),
    "pidof": "pgrep -x NAME",
    **dict.fromkeys(
        ("top", "htop", "btop", "atop", "glances"), "ps -e and free, which have what is known of programs"
    ),
    "getent": "id, because a page has one user and knows no hosts",
    **dict.fromkeys(("wslpath", "cygpath"), "the path itself, which is Linux's"),
    **dict.fromkeys(("cls", "del", "copy", "move", "type"), "clear, rm, cp, mv or cat"),
}
GUIDES = {
    **{name: f"use {instead}" for name, instead in _COMMANDS.items()},
    **{name: f"pip install {package} brings it" for name, package in PACKAGES.items()},
    **dict.fromkeys(
        (
            "perl",
            "ruby",
            "go",
            "java",
            "javac",
            "php",
            "lua",
            "Rscript",
            "R",
            "deno",
            "bun",
            "dotnet",
            "swift",
            "kotlin",
            "scala",
            "elixir",
            "ghc",
            "julia",
            *(
                "kotlinc",
                "mvn",
                "gradle",
                "gradlew",
                "sbt",
                "ant",
                "bundle",
                "gem",
                "rake",
                "rails",
                "composer",
            ),
            *("mix", "cabal", "stack", "gofmt", "golint", "golangci-lint", "rustfmt", "clippy", "protoc"),
        ),
        f"this shell runs Python and JavaScript (`node`); {HOST}",
    ),
    **dict.fromkeys(
        (
            "npm",
            "npx",
            "yarn",
            "pnpm",
            "tsc",
            "eslint",
            "prettier",
            "vite",
            "jest",
            "vitest",
            "webpack",
            "esbuild",
            *(
                "bunx",
                "corepack",
                "turbo",
                "nx",
                "rollup",
                "parcel",
                "swc",
                "babel",
                "tsup",
                "mocha",
                "cypress",
            ),
            *("playwright", "next", "nuxt", "ng", "vue", "astro", "expo", "json-server"),
        ),
        f"this shell has no packages for JavaScript; `node FILE` runs it, `node --test` tests; {HOST}",
    ),
    **dict.fromkeys(
        _COMPILERS.split(),
        f"this shell has no compilers; {HOST}",
    ),
    **dict.fromkeys(
        _CONTAINERS.split(),
        f"a page has no containers or machines of others; {HOST}",
    ),
    **dict.fromkeys(
        ("systemctl", "service", "journalctl", "launchctl", "supervisorctl", "pm2", "crontab", "at", "dmesg"),
        f"this shell has no services; `COMMAND &` runs one in the background, `nohup` beyond the shell; {HOST}",
    ),
    **dict.fromkeys(
        _PACKAGERS.split(),
        "there are no packages for this shell but Python's: pip install NAME; `man -k WORD` finds commands",
    ),
    **dict.fromkeys(("gh",), f"use git, and curl to api.github.com, for GitHub; {HOST}"),
    **dict.fromkeys(
        (
            *("aws", "gcloud", "az", "terraform", "ansible", "heroku", "vercel", "netlify", "flyctl", "fly"),
            *(
                "wrangler",
                "firebase",
                "supabase",
                "railway",
                "pulumi",
                "packer",
                "vault",
                "rclone",
                "s3cmd",
                "restic",
            ),
        ),
        f"use curl to the service's API; {HOST}",
    ),
    **dict.fromkeys(
        _MEDIA.split(),
        f"this shell has no such program, but pip has libraries of Python; {HOST}",
    ),
    **dict.fromkeys(
        _NETWORK.split(),
        f"{SOCKETS}; {HOST}",
    ),
    **dict.fromkeys(
        ("sudo", "su", "doas", "chroot", "useradd", "adduser", "passwd", "visudo"),
        "all files are the user's, so no command needs other rights or users: run it without",
    ),
    **dict.fromkeys(
        ("mount", "umount", "lsblk", "fdisk", "parted", "mkfs", "blkid", "modprobe"),
        "a page has no disks; `df` has its space",
    ),
    **dict.fromkeys(("shutdown", "reboot", "halt", "poweroff", "init"), "`exit` ends the shell"),
    **dict.fromkeys(
        ("who", "users", "pinky", "w", "last", "finger"),
        "nobody logs in to a page: `whoami` and `id` name its user, `ps -e` lists what runs",
    ),
    "mknod": "there are no devices of yours: `mkfifo NAME` makes a named pipe",
    **dict.fromkeys(
        ("ngrok", "cloudflared"),
        f"the tool browser_navigate opens servers of the page, http://localhost:PORT/; {HOST}",
    ),
    **dict.fromkeys(
        ("ollama", "llm", "llama-cli", "claude", "codex", "aider", "cursor"),
        f"this shell has no programs of agents; {HOST}",
    ),
    **dict.fromkeys(
        ("gunicorn", "uvicorn", "hypercorn", "streamlit", "celery"),
        f"`python3 -m http.server` serves files; {HOST}",
    ),
    "hostid": "a page has no network address: `hostname` has its name",
    "ptx": f"use awk, or python3; {HOST}",
    "shred": "nothing here overwrites the blocks of a disk: `rm FILE` removes it",
    **dict.fromkeys(("runcon", "chcon"), "there is no SELinux here: run the command without"),
    **dict.fromkeys(("gpg", "gpg2", "age", "sops", "pass", "mkcert"), f"this shell has no keys; {HOST}"),
    **dict.fromkeys(
        ("fuser", "strace", "ltrace", "dtrace", "perf"), "`ps -e` lists what runs, `lsof` what is open"
    ),
    **dict.fromkeys(
        ("psql", "pgcli", "mysql", "mariadb", "mongo", "mongosh", "redis-cli", "createdb", "pg_dump"),
        f"{SOCKETS}; sqlite3 has databases in files, and {HOST}",
    ),
}


def _guide_of_version(name: str) -> str:
    """Return what to use instead of a program of another version of Python, such as python3.11, or ""."""
    match = re.fullmatch(r"(python|pip)[23]?\.\d+", name)
    return f"use {match[1]}{'3' if match[1] == 'python' else ''}: there is one version" if match else ""


def suggest(name: str, known: Iterable[str], *, linux: bool = False) -> str:
    """Return a line that helps where the command `name` is missing, or "" if nothing is known about it.

    Args:
        name: The name, or the path of a program for a processor.
        known: The commands that are there.
        linux: The page has a Linux, which the command `linux` reaches.
    """
    if linux and (name in OF_LINUX or "/" in name):
        return f"`linux {name} …` {RUNS}."
    if guide := GUIDES.get(name) or _guide_of_version(name):
        return f"{name}: {guide}"
    names = sorted(set(known))
    # Of short names, swapped letters are no close match.
    near = [each for each in names if sorted(each) == sorted(name)][:2]
    if not near and len(name) > 2:
        near = difflib.get_close_matches(name, names, n=2, cutoff=0.7)
    return f"Did you mean {' or '.join(near)}?" if near else ""
