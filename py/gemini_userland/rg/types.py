"""The types of files that `-t` and `-T` name, and their globs: ripgrep 13's, and a few of later versions."""

from __future__ import annotations

from collections.abc import Sequence

_TYPES = """
agda *.agda *.lagda
aidl *.aidl
amake *.bp *.mk
asciidoc *.adoc *.asc *.asciidoc
asm *.S *.asm *.s
asp *.ascx *.ascx.cs *.ascx.vb *.aspx *.aspx.cs *.aspx.vb
ats *.ats *.dats *.hats *.sats
avro *.avdl *.avpr *.avsc
awk *.awk
bazel *.BUILD *.bazel *.bazelrc *.bzl BUILD WORKSPACE
bitbake *.bb *.bbappend *.bbclass *.conf *.inc
brotli *.br
buildstream *.bst
bzip2 *.bz2 *.tbz2
c *.[chH] *.[chH].in *.cats
cabal *.cabal
cbor *.cbor
ceylon *.ceylon
clojure *.clj *.cljc *.cljs *.cljx
cmake *.cmake CMakeLists.txt
coffeescript *.coffee
config *.cfg *.conf *.config *.ini
coq *.v
cpp *.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh *.hh.in *.inl
creole *.creole
crystal *.cr Projectfile
cs *.cs
csharp *.cs
cshtml *.cshtml
css *.css *.scss
csv *.csv
cython *.pxd *.pxi *.pyx
d *.d
dart *.dart
dhall *.dhall
diff *.diff *.patch
docker *Dockerfile*
dockercompose docker-compose.*.yml docker-compose.yml
dvc *.dvc Dvcfile
ebuild *.ebuild
edn *.edn
elisp *.el
elixir *.eex *.ex *.exs
elm *.elm
erb *.erb
erlang *.erl *.hrl
fidl *.fidl
fish *.fish
flatbuffers *.fbs
fortran *.F *.F77 *.F90 *.F95 *.f *.f77 *.f90 *.f95 *.pfo
fsharp *.fs *.fsi *.fsx
fut .fut
gap *.g *.gap *.gd *.gi *.tst
gn *.gn *.gni
go *.go
gradle *.gradle
graphql *.graphql *.graphqls
groovy *.gradle *.groovy
gzip *.gz *.tgz
h *.h *.hpp
haml *.haml
haskell *.c2hs *.cpphs *.hs *.hsc *.lhs
hbs *.hbs
hs *.hs *.lhs
html *.ejs *.htm *.html
idris *.idr *.lidr
ini *.ini
java *.java *.jsp *.jspx *.properties
jinja *.j2 *.jinja *.jinja2
jl *.jl
js *.js *.jsx *.vue
json *.json composer.lock
jsonl *.jsonl
julia *.jl
jupyter *.ipynb *.jpynb
k *.k
kotlin *.kt *.kts
less *.less
license *[.-]LICEN[CS]E* AGPL-*[0-9]* APACHE-*[0-9]* BSD-*[0-9]* CC-BY-* COPYING COPYING[.-]* COPYRIGHT COPYRIGHT[.-]*
license EULA EULA[.-]* GFDL-*[0-9]* GNU-*[0-9]* GPL-*[0-9]* LGPL-*[0-9]* LICEN[CS]E LICEN[CS]E[.-]* MIT-*[0-9]*
license MPL-*[0-9]* NOTICE NOTICE[.-]* OFL-*[0-9]* PATENTS PATENTS[.-]* UNLICEN[CS]E UNLICEN[CS]E[.-]* agpl[.-]*
license gpl[.-]* lgpl[.-]* licen[cs]e licen[cs]e.*
lisp *.el *.jl *.lisp *.lsp *.sc *.scm
lock *.lock package-lock.json
log *.log
lua *.lua
lz4 *.lz4
lzma *.lzma
m4 *.ac *.m4
make *.mak *.mk [Gg][Nn][Uu]makefile [Gg][Nn][Uu]makefile.am [Gg][Nn][Uu]makefile.in [Mm]akefile [Mm]akefile.am
make [Mm]akefile.in
mako *.mako *.mao
man *.[0-9][cEFMmpSx] *.[0-9lnpx]
markdown *.markdown *.md *.mdown *.mkdn
matlab *.m
md *.markdown *.md *.mdown *.mkdn
meson meson.build meson_options.txt
minified *.min.css *.min.html *.min.js
mint *.mint
mk mkfile
ml *.ml
msbuild *.csproj *.fsproj *.proj *.props *.targets *.vcxproj
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
pod *.pod
postscript *.eps *.ps
powershell *.cdxml *.ps1 *.ps1xml *.psd1 *.psm1
prolog *.P *.pl *.pro *.prolog
protobuf *.proto
ps *.cdxml *.ps1 *.ps1xml *.psd1 *.psm1
puppet *.erb *.pp *.rb
purs *.purs
py *.py
qmake *.prf *.pri *.pro
qml *.qml
r *.R *.Rmd *.Rnw *.r
racket *.rkt
rdoc *.rdoc
readme *README README*
red *.r *.red *.reds
robot *.robot
rst *.rst
ruby *.gemspec *.rb *.rbw .irbrc Gemfile Rakefile config.ru
rust *.rs
sass *.sass *.scss
scala *.sbt *.scala
sh *.bash *.bashrc *.csh *.cshrc *.ksh *.kshrc *.sh *.tcsh *.zsh .bash_login .bash_logout .bash_profile .bashrc .cshrc
sh .kshrc .login .logout .profile .tcshrc .zlogin .zlogout .zprofile .zshenv .zshrc bash_login bash_logout
sh bash_profile bashrc profile zlogin zlogout zprofile zshenv zshrc
slim *.skim *.slim *.slime
smarty *.tpl
sml *.sig *.sml
soy *.soy
spark *.spark
spec *.spec
sql *.psql *.sql
stylus *.styl
sv *.h *.sv *.svh *.v *.vg
svelte *.svelte
svg *.svg
swift *.swift
swig *.def *.i
systemd *.automount *.conf *.device *.link *.mount *.path *.scope *.service *.slice *.socket *.swap *.target *.timer
taskpaper *.taskpaper
tcl *.tcl
tex *.bib *.cls *.dtx *.ins *.ltx *.sty *.tex
textile *.textile
tf *.tf
thrift *.thrift
toml *.toml Cargo.lock
ts *.ts *.tsx
twig *.twig
txt *.txt
typoscript *.ts *.typoscript
vala *.vala
vb *.vb
vcl *.vcl
verilog *.sv *.svh *.v *.vh
vhdl *.vhd *.vhdl
vim *.vim
vimscript *.vim
vue *.vue
webidl *.idl *.webidl *.widl
wiki *.mediawiki *.wiki
xml *.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xml.dist *.xsd *.xsl *.xslt
xz *.txz *.xz
yacc *.y
yaml *.yaml *.yml
yang *.yang
z *.Z
zig *.zig
zsh *.zsh .zlogin .zlogout .zprofile .zshenv .zshrc zlogin zlogout zprofile zshenv zshrc
zstd *.zst *.zstd
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
    """Return the globs of a type; `all` has all types' globs.

    Raises:
        UnknownTypeError: There is no such type.
    """
    if name == "all":
        return [glob for globs in types.values() for glob in globs]
    found = types.get(name) or types.get(ALIASES.get(name, ""))
    if found is None:
        raise UnknownTypeError(f"unrecognized file type: {name}")
    return found
