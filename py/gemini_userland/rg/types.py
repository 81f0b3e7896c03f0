"""The types of files that `-t` and `-T` name, and their globs."""

from __future__ import annotations

from collections.abc import Sequence

_TYPES = """
asciidoc *.adoc *.asc *.asciidoc
asm *.S *.asm *.s
avro *.avdl *.avpr *.avsc
awk *.awk
bazel *.BUILD *.bazel *.bzl BUILD MODULE.bazel WORKSPACE WORKSPACE.bazel
c *.[chH] *.[chH].in *.cats
clojure *.clj *.cljc *.cljs *.cljx
cmake *.cmake CMakeLists.txt
config *.cfg *.conf *.config *.ini
cpp *.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh *.hh.in *.inl
cs *.cs
css *.css *.scss
csv *.csv
cython *.pxd *.pxi *.pyx
d *.d
dart *.dart
diff *.diff *.patch
docker *Dockerfile*
dockercompose docker-compose.*.yml docker-compose.yml
elisp *.el
elixir *.eex *.ex *.exs *.heex *.leex
elm *.elm
erlang *.erl *.hrl
fish *.fish
fortran *.F *.F77 *.F90 *.F95 *.f *.f77 *.f90 *.f95 *.pfo
fsharp *.fs *.fsi *.fsx
go *.go
gradle *.gradle
graphql *.graphql *.graphqls
groovy *.gradle *.groovy
h *.h *.hh *.hpp
haskell *.c2hs *.cpphs *.hs *.hsc *.lhs
html *.ejs *.htm *.html
ini *.ini
java *.java *.jsp *.jspx *.properties
jinja *.j2 *.jinja *.jinja2
js *.cjs *.js *.jsx *.mjs *.vue
json *.json *.sarif composer.lock
jsonl *.jsonl
julia *.jl
jupyter *.ipynb *.jpyn
kotlin *.kt *.kts
less *.less
license *LICEN[CS]E* COPYING COPYING[.-]* UNLICEN[CS]E UNLICEN[CS]E[.-]*
lisp *.el *.jl *.lisp *.lsp *.sc *.scm
lock *.lock package-lock.json
log *.log
lua *.lua
make *.mak *.mk [Gg][Nn][Uu]makefile{,.am,.in} [Mm]akefile{,.am,.in}
man *.[0-9][cEFMmpSx] *.[0-9lnpx]
markdown *.markdown *.md *.mdown *.mkdn
matlab *.m
md *.markdown *.md *.mdown *.mkdn
ml *.ml
nim *.nim *.nimble *.nimf *.nims
nix *.nix
objc *.h *.m
objcpp *.h *.mm
ocaml *.ml *.mli *.mll *.mly
org *.org *.org_archive
pascal *.dpr *.inc *.lpr *.pas *.pp
pdf *.pdf
perl *.PL *.perl *.pl *.plh *.plx *.pm *.t
php *.php *.php3 *.php4 *.php5 *.phtml
po *.po
postscript *.eps *.ps
powershell *.cdxml *.ps1 *.ps1xml *.psd1 *.psm1
prolog *.P *.pl *.pro *.prolog
protobuf *.proto
puppet *.epp *.erb *.pp *.rb
py *.py
qml *.qml
r *.R *.Rmd *.Rnw *.r
readme *README README*
rst *.rst
ruby *.gemspec *.rb *.rbw .irbrc Gemfile Rakefile config.ru
rust *.rs
sass *.sass *.scss
scala *.sbt *.scala
sh *.{bash,csh,ksh,sh,tcsh,zsh} *.{bash,csh,ksh}rc {,.}bash{_login,_logout,_profile,rc}
sh .login .logout .profile profile .{csh,ksh,tcsh}rc {,.}z{login,logout,profile,shenv,shrc}
sql *.psql *.sql
svelte *.svelte
svg *.svg
swift *.swift
systemd *.automount *.conf *.device *.link *.mount *.path *.scope *.service *.slice *.socket *.swap *.target *.timer
tcl *.tcl
tex *.bib *.cls *.ins *.ltx *.sty *.tex
tf *.tf
toml *.toml Cargo.lock
ts *.cts *.mts *.ts *.tsx
txt *.txt
vb *.vb
verilog *.sv *.svh *.v *.vh
vhdl *.vhd *.vhdl
vim *.vim
vimscript *.vim
vue *.vue
webidl *.idl *.webidl *.widl
xml *.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xml.dist *.xsd *.xsl *.xslt
yaml *.yaml *.yml
zig *.zig
zsh *.zsh .zlogin .zlogout .zprofile .zshenv .zshrc zlogin zlogout zprofile zshenv zshrc
"""
ALIASES = {"python": "py", "javascript": "js", "typescript": "ts", "golang": "go"}


class UnknownTypeError(Exception):
    """There is no such type of files; the message names it."""


def known_types(added: Sequence[str], cleared: Sequence[str]) -> dict[str, list[str]]:
    """Return the globs of each type.

    Args:
        added: Definitions as `name:glob`, or `name:include:type,type`.
        cleared: The types that lose their globs.

    Raises:
        UnknownTypeError: A definition has another form, or includes an unknown type.
    """
    types: dict[str, list[str]] = {}
    for line in _TYPES.strip().splitlines():
        name, *globs = line.split()
        types[name] = [*types.get(name, []), *globs]
    for name in cleared:
        types.pop(name, None)
    for definition in added:
        name, _, rest = definition.partition(":")
        if not name or not rest:
            raise UnknownTypeError("invalid definition (format is type:glob, e.g., html:*.html)")
        if rest.startswith("include:"):
            for other in rest.removeprefix("include:").split(","):
                types.setdefault(name, []).extend(globs_of(types, other))
        else:
            types.setdefault(name, []).append(rest)
    return types


def globs_of(types: dict[str, list[str]], name: str) -> list[str]:
    """Return the globs of a type; `all` has those of all types.

    Raises:
        UnknownTypeError: There is no such type.
    """
    if name == "all":
        return [glob for globs in types.values() for glob in globs]
    found = types.get(name) or types.get(ALIASES.get(name, ""))
    if found is None:
        raise UnknownTypeError(f"unrecognized file type: {name}")
    return found
