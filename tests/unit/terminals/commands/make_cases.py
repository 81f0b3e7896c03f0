"""Makefiles and what is done with them, for `test_make`."""

from dataclasses import dataclass, field
from textwrap import dedent


@dataclass
class Case:
    """Steps (shell lines; those that begin with `make` are ours to compare) in a directory with `files`."""

    name: str
    makefile: str
    steps: list[str] = field(default_factory=lambda: ["make"])
    files: dict[str, str] = field(default_factory=dict[str, str])


CASES: list[Case] = []


def case(name: str, makefile: str, /, *steps: str, **files: str) -> None:
    CASES.append(Case(name, dedent(makefile).lstrip("\n"), list(steps) or ["make"], files))


# Variables -----------------------------------------------------------------------------------------------------

case(
    "flavors",
    r"""
    a = $(b)
    b := one
    c := $(a)
    b = two
    d ?= kept
    d ?= lost
    e := x
    e += $(b)
    f = x
    f += $(b)
    g += first
    b = three
    h != echo shell; echo lines
    i ::= posix
    empty =
    trail = t # comment
    hash = a\#b
    dollar = $$HOME
    all:
    	@echo '$(a)' '$(b)' '$(c)' '$(d)' '$(e)' '$(f)' '$(g)' '$(h)' '$(i)' '$(empty)' '[$(trail)]' '$(hash)' '$(dollar)'
""",
)
case(
    "references",
    r"""
    x = y
    y = z
    z = u
    files = a.c b.c c.o
    one = 1
    all:
    	@echo $($($(x))) $x ${x} $(files:.c=.o) $(files:%.c=obj/%.o) $(files:c=C) '$$x' $$((1+1)) $(o$(subst a,n,a)e)
""",
)
case(
    "command line variables win",
    r"""
    X = file
    override Y = override
    Z := file
    Z += more
    export X
    all:
    	@echo $(X) $(Y) $(Z) $$X "$(MAKEFLAGS)" $(origin X) $(origin Y) $(origin Z)
""",
    "make X=1 Y=2 Z='a b'",
    "make X:=3",
    "make 'X=$(Y)' 'Z=$$'",
)
case(
    "environment",
    r"""
    FROM_ENV ?= lost
    export GIVEN = yes
    HIDDEN = yes
    FROM_ENV += more
    unexport GONE
    all:
    	@echo $(FROM_ENV) $$FROM_ENV $$GIVEN "$$HIDDEN" "[$$GONE]" $(origin FROM_ENV) $(origin HOME) $(origin CC)
""",
    "env FROM_ENV=env GONE=1 make",
    "env FROM_ENV=env GONE=1 make -e",
    "env FROM_ENV=env make GONE=2",
)
case(
    "export everything",
    r"""
    export
    A = 1
    B-C = 2
    all:
    	@echo $$A; env | grep B-C || true
""",
)
case(
    "export all by target",
    r"""
    .EXPORT_ALL_VARIABLES:
    A = 1
    all:
    	@echo $$A
""",
)
case(
    "define",
    r"""
    define two
    echo one $(1)
    @echo two $@
    endef
    define simple :=
    now $(later)
    endef
    later = late
    define nested
    define inner
    inside
    endef
    endef
    $(eval $(nested))
    override define forced
    forced
    endef
    all:
    	$(two)
    	@echo '$(simple)' $(inner) $(forced)
    silent:
    	@$(two)
    called:
    	$(call two,arg)
""",
    "make",
    "make silent",
    "make called",
)
case(
    "undefine",
    r"""
    A = 1
    B = 2
    undefine A
    override undefine B
    all: ; @echo '[$(A)$(B)]' $(flavor A) $(flavor CC) $(origin all)
""",
)
case(
    "recursive reference",
    r"""
    A = $(B)
    B = $(A)
    all: ; @echo $(A)
""",
)
case("recursive in assignment", "A = $(A) x\nB := $(A)\nall: ; @echo $(B)\n")
case("unterminated reference", "all:\n\t@echo $(foo\n")
case("unterminated reference at reading", "A := $(foo\nall: ; @echo x\n")
case("empty name", "$(nothing) = 1\nall: ; @echo x\n")
case("names with odd characters", "a.b-c/d = 1\nC++ = g++\nall: ; @echo $(a.b-c/d) $(C++)\n")
case("undefined warning", "A = $(nope)\nall: ; @echo [$(A)]$(other)\n", "make --warn-undefined-variables")
case(
    "target-specific",
    r"""
    X = global
    all: a b
    a: X = for a
    a: Y := $(X) now
    b: X += added
    b: export E = exported
    c: private X = private
    c: a-of-c
    %.p: X = pattern
    long%.p: X = longer
    a b c a-of-c: ; @echo $@: $(X) $(Y) $$E
    p: one.p longer.p
    one.p longer.p: ; @echo $@: $(X)
    inherits: X = inherited
    inherits: child ; @echo $@ $(X)
    child: ; @echo $@ $(X)
""",
    "make",
    "make c",
    "make p",
    "make inherits",
    "make X=cmd a",
    "make child",
)
case(
    "target-specific override",
    "a: override X = 1\na: Y ?= 2\na: ; @echo $(X) $(Y)\n",
    "make",
    "make X=5",
    "make Y=6",
)
case(
    "makefile list and others",
    "include sub.mk\nall: ; @echo $(MAKEFILE_LIST) $(MAKECMDGOALS) $(.DEFAULT_GOAL) $(MAKE) $(MAKE_VERSION) $(SHELL) $(.SHELLFLAGS) $(CURDIR) $(MAKELEVEL)\n",
    "make",
    "make all",
    **{"sub.mk": "X = 1\n"},
)

# Functions -----------------------------------------------------------------------------------------------------

case(
    "text functions",
    r"""
    w = foo.c bar.o  baz.c src/a.b.c
    comma = ,
    all:
    	@echo '$(subst o,0,$(w))' '$(patsubst %.c,%.o,$(w))' '$(patsubst foo.c,x,$(w))' '$(strip  a  b )'
    	@echo '$(findstring a,a b)' '$(findstring z,a b)' '$(filter %.c %.h,$(w))' '$(filter-out %.c,$(w))'
    	@echo '$(sort b a c a)' '$(word 2,$(w))' '$(word 9,$(w))' '$(wordlist 2,3,$(w))' '$(words $(w))' '$(wordlist 3,1,a b c)'
    	@echo '$(firstword $(w))' '$(lastword $(w))' '$(firstword )' '$(dir $(w) /x / x/)' '$(notdir $(w) x/)'
    	@echo '$(suffix $(w) none)' '$(basename $(w) none .x)' '$(addsuffix .x,a b)' '$(addprefix p/,a b)' '$(join a b c,1 2)'
    	@echo '$(subst $(comma),;,a,b)' '$(subst ,x,abc)' '$(patsubst %,<%>,a b)' '$(patsubst a%c,%,abc ac b)' '$(subst a,b)'
""",
    "make",
)
case(
    "more text functions",
    r"""
    all:
    	@echo '$(patsubst \%x,%,%x ax)' '$(patsubst %x,a%b%c,yx)' '$(filter a%b,ab axb %)' '$(a:b=c)' '$(subst (,[,(x)))'
    	@echo '${subst (,[,(x)}' '$(if a,b,c,d)' '$(if ,b,c)' '$(if  ,b)' '$(or ,,x,y)' '$(or )' '$(and a,b)' '$(and a,,b)'
    	@echo '$(foreach i,1 2 3,<$(i)>)' '$(foreach i, a  b ,$i$i)' '$(foreach i,,x)' '[$(i)]'
""",
)
case(
    "call and eval",
    r"""
    reverse = $(2) $(1)
    rec = $(if $(1),$(firstword $(1)) $(call rec,$(wordlist 2,99,$(1))))
    map = $(foreach a,$(2),$(call $(1),$(a)))
    up = <$(1)>
    simple := $(1)x
    define rule
    $(1): ; @echo making $(1) $$@
    EXTRA += $(1)
    endef
    $(foreach t,r1 r2,$(eval $(call rule,$(t))))
    $(eval V := $(value up))
    all: r1 r2
    	@echo $(call reverse,a,b) '$(call rec,a b c)' '$(call map,up,x y)' '$(call undefined,1)' '$(call simple,z)'
    	@echo $(EXTRA) '$(value map)' '$(value V)' '$(call subst,a,b,aaa)' '$(call reverse,a)' '$(call  up,c,d)'
""",
)
case(
    "files",
    r"""
    all:
    	@echo $(wildcard *.txt) '|' $(wildcard nope) '|' $(wildcard *.md a.txt) '|' $(wildcard d/*) '|' $(wildcard ?.txt)
    	@echo $(notdir $(abspath a.txt ../x ./d/../y)) $(notdir $(realpath a.txt nope d/))
    	@echo $(file >out,one$(comma)two)$(file >>out,three) $(file <out)
    	@cat out
""",
    "make",
    **{"a.txt": "", "b.txt": "", "c.md": "", "d/e": ""},
)
case(
    "shell function",
    r"""
    A := $(shell printf 'a\nb\n\n')
    B = $(shell echo $(1) "quoted $(A)"; exit 3)
    all:
    	@echo '$(A)' '$(call B,x)' $(.SHELLSTATUS) '$(shell echo "#(")' '$(shell exit 4)' '$(shell true # comment)'
    	@echo $(shell pwd | sed 's,.*/,,') $(shell echo err >&2)
""",
)
case(
    "info warning error",
    r"""
    $(info reading $(X))
    $(warning careful)
    all: ; @echo run $(info in recipe) $(warning two)
    bad: ; @echo never $(error stop, now)
    ifdef FAIL
    $(error failed early)
    endif
""",
    "make X=1",
    "make bad",
    "make FAIL=1",
)
case(
    "wrong arguments",
    "all: ; @echo $(word x,a)\nb: ; @echo $(word 0,a)\nc: ; @echo $(subst a)\nd: ; @echo $(wordlist 0,1,a)\ne: ; @echo $(foreach a,b)\n",
    "make",
    "make b",
    "make c",
    "make d",
    "make e",
)
case(
    "origins and flavors",
    r"""
    F = 1
    S := 1
    all: ; @echo $(origin F) $(origin CC) $(origin nope) $(origin @) $(flavor F) $(flavor S) $(flavor nope) $(origin MAKE)
""",
)

# Conditionals --------------------------------------------------------------------------------------------------

case(
    "conditionals",
    r"""
    A = x
    E =
    ifeq ($(A),x)
    R += eq
    else
    R += wrong
    endif
    ifneq "$(A)" "x"
    R += wrong
    else ifeq '$(A)' 'x'
    R += elseif
    else
    R += wrong
    endif
    ifdef A
      ifndef E
    R += nested
      else
    R += wrong
      endif
    endif
    ifeq (a (b,c),a (b,c) )
    R += parens
    endif
    ifeq (, $(strip $(E)))
    R += blank
    endif
    ifdef E
    ifeq broken syntax that is skipped
    endif
    define skipped
    endif
    endef
    endif
    all:
    	@echo $(R)
    ifeq ($(A),x)
    	@echo in recipe
    else
    	@echo wrong
    endif
    	@echo end
""",
)
case(
    "conditional from the command line",
    "ifdef DEBUG\nM = debug\nelse ifdef TRACE\nM = trace\nelse\nM = none\nendif\nall: ; @echo $(M)\n",
    "make",
    "make DEBUG=1",
    "make TRACE=1",
    "make DEBUG=",
)
for number, broken in enumerate(
    [
        "ifdef A\nall: ; @echo x\n",
        "all: ; @echo x\nendif\n",
        "else\nendif\n",
        "ifeq a\nendif\n",
        "ifdef A\nelse\nelse\nendif\n",
        "define x\nfoo\n",
        "ifeq (a,b\nendif\n",
    ]
):
    case(f"broken structure {number}", broken)

# Rules ---------------------------------------------------------------------------------------------------------

case(
    "time stamps",
    r"""
    out: a b | dir
    	cat a b > out; echo new: $? all: $^ first: $< only: $|
    dir:
    	mkdir $@
""",
    "make",
    "make",
    "sleep 0.02; touch b",
    "make",
    "make out",
    "make -B",
    "touch dir/x",
    "make -W a -n",
    "make -o b -W b",
    a="a\n",
    b="b\n",
)
case(
    "automatic variables",
    r"""
    sub/out.x: in/a in/b in/a | in/c
    	@echo '$@' '$(@D)' '$(@F)' '$<' '$(<F)' '$^' '$(^D)' '$+' '$(+F)' '$?' '$*' '$|' '$(*F)' '$%'
    lone: ; @echo '$@' '$(@D)' '$<' '$^'
    foo.o: ; @echo '$*'
""",
    "make",
    "make lone",
    "make foo.o",
    **{"in/a": "", "in/b": "", "in/c": ""},
)
case(
    "pattern rules",
    r"""
    all: a.o dir/b.o c.special.o deep
    %.o: %.c
    	@echo 'c: $@ $< $* $(*D) $(*F)'; touch $@
    %.special.o: %.c
    	@echo 'special: $@ $< $*'
    dir/%.o: dir/%.c
    	@echo 'dir: $@ $< $*'
    deep: deep.2 ; @echo $^
    %.2: %.1
    	@echo 2 $<; cp $< $@
    %.1: %.0
    	@echo 1 $<; cp $< $@
""",
    "make",
    "make",
    "ls deep*",
    **{"a.c": "", "dir/b.c": "", "c.c": "", "deep.0": "0"},
)
case(
    "pattern rule details",
    r"""
    all: x.out y.out lib_z.a
    x.out: extra
    %.out: %.in fixed | order
    	@echo '$@: $^ <$< |$|'
    lib_%.a: %.in ; @echo '$* -> $@'
    extra fixed order: ; @echo dependency $@
    %.gone: %.in
    	@echo gone
    %.gone: %.in
""",
    "make",
    "make q.gone",
    **{"x.in": "", "y.in": "", "z.in": "", "q.in": ""},
)
case(
    "match anything",
    "%: ; @echo any $@\n%.txt: %.src ; @echo txt $@\n",
    "make foo",
    "make a.txt",
    "make b.txt",
    **{"a.src": "", "Makefile.keep": ""},
)
case(
    "several pattern targets",
    r"""
    all: x.one x.two
    %.one %.two: %.src
    	@echo making $@ from $<; touch $*.one $*.two
""",
    "make",
    "make",
    "rm x.two; touch x.src",
    "make",
    **{"x.src": ""},
)
case("grouped targets", "all: a b\na b &: c\n\techo $@; touch a b\n", "make", "make", "rm b", "make", c="")
case(
    "static pattern rules",
    r"""
    objects = a.o b.o
    all: $(objects)
    $(objects): %.o: %.c head.h
    	@echo $@ $< $* $^
    odd bo: %o: %.x ; @echo odd $@ $*
""",
    "make",
    "make bo",
    **{"a.c": "", "b.c": "", "head.h": "", "b.x": ""},
)
for number, broken in enumerate(
    [
        "a: b: c\n\techo\n",
        "a.o: %.o %.x: c\n",
        "a.o: : c\n",
        "a %.o: x\n\techo\n",
        "\techo first\n",
        "just words\n",
        "        echo eight\n",
        "a: b\n\tx\na:: c\n\ty\n",
        "a b = c d: e\n\tfoo bar baz)\n",
    ]
):
    case(f"broken rule {number}", broken)
case(
    "suffix rules",
    r"""
    .SUFFIXES:
    .SUFFIXES: .md .html
    all: a.html b
    .md.html:
    	@echo $< to $@ $*
    .md:
    	@echo single $@ $<
""",
    "make",
    **{"a.md": "", "b.md": ""},
)
case(
    "double colon",
    r"""
    all: a
    a:: b ; @echo one $^
    a:: c ; @echo two $^
    a:: ; @echo three
    b c: ; @touch $@
""",
    "make",
    "make",
    "touch a; sleep 0.02; touch c",
    "make",
)
case(
    "phony",
    r"""
    .PHONY: all clean build
    all: build other
    clean: ; @echo clean
    build: ; @echo build
    other: build ; @echo other $?; touch other
    nothing:
    .PHONY: nothing
""",
    "make",
    "make",
    "make clean",
    "make nothing",
    clean="",
    build="",
)
case(
    "up to date messages",
    r"""
    a: b
    	cp b a
    norecipe: b
    silent: ; @:
    empty: ;
    ab: a
    .PHONY: ph
    ph: b
""",
    "make",
    "make",
    "make a a",
    "make b",
    "make norecipe",
    "make silent",
    "make empty",
    "make ab",
    "make ph",
    "make Makefile",
    b="",
)
case("force", "a: FORCE\n\techo a; touch a\nFORCE:\nc: a\n\techo c; touch c\n", "make", "make", "make c")
case(
    "existing without recipe",
    "a: b\n\techo a; touch a\nb: c\n",
    "make",
    "sleep 0.02; touch c",
    "make",
    "touch b",
    "make",
    b="",
    c="",
)
case(
    "prerequisites are merged",
    r"""
    all: one
    all: two
    	@echo $^ first $<
    all: three
    all: one
    one two three: ; @echo $@
    one: two
""",
)
case("overriding", "a: ; @echo first\na: ; @echo second\na: b\nb: ; @echo b\nb:\n\t@echo other b\n")
case(
    "no rule",
    "a: b\n\techo a\nc: d e\nd: ; @echo d\ne: f\n",
    "make",
    "make nowhere",
    "make c",
    "make -k c a",
    "make -k nowhere c",
)
case("circular", "a: b ; @echo a $^\nb: c ; @echo b\nc: a b c ; @echo c $^\n")
case("default goal", ".hidden: ; @echo hidden\n.PHONY: x\n%.y: ; @echo no\nreal: ; @echo real\n")
case("chosen default goal", ".DEFAULT_GOAL = second\nfirst: ; @echo 1\nsecond: ; @echo 2\n")
case(
    "computed rules",
    r"""
    T = t1 t2
    $(T): P = $@
    $(T): dep-$(T)
    	@echo $@ $^ $(P)
    dep-t1 dep-%: ; @echo $@
    EMPTY =
    $(EMPTY): ; @echo never
    RULE = late: ; @echo late
    $(RULE)
""",
    "make late",
)
case(
    "wildcards in rules",
    "all: *.txt none*\n\t@echo $^\nnone*: ; @echo '$@'\n",
    "make",
    **{"a.txt": "", "b.txt": ""},
)
case("dot slash", "all: ./a b/../c\n\t@echo $^\na: ; @echo made $@\nb/../c: ; @echo $@\n", "make", "make ./a")
case(
    "escapes in names",
    "all: with\\ space col\\:on ha\\#sh\n\t@echo '$<' '$^'\nwith\\ space: ; @echo 'made $@'\ncol\\:on ha\\#sh: ; @echo '$@'\n",
)
case(
    "emoji and unicode",
    "N = naïve 🙂\nall: 🙂.txt\n\t@echo '$(N)' '$<' '$(words a\u3000b c)' '$(sort é z a 🙂)'\n%.txt: ; @echo 'made $@ $*'\n",
)
case(
    "second expansion",
    r"""
    .SECONDEXPANSION:
    a_src = a1 a2
    b_src = b1
    all: a b lib.x stat.o
    a b: $$($$@_src) | $$(@)_order
    	@echo $@: $^ '|' $|
    %.x: $$(addsuffix .src,$$*) ; @echo $@ from $^
    stat.o: %.o: $$*.c ; @echo $@ from $^
    a1 a2 b1 a_order b_order lib.src stat.c: ; @echo $@
""",
)
case("default recipe", "all: x y\nx: ; @echo x\n.DEFAULT: ; @echo default $@ $<\n", "make", "make other")
case(
    "intermediate files",
    r"""
    all: a.final
    %.final: %.mid ; cp $< $@
    %.mid: %.raw ; cp $< $@
    .PRECIOUS: %.keep
    %.end: %.keep ; cp $< $@
    %.keep: %.raw ; cp $< $@
""",
    "make",
    "ls",
    "make",
    "sleep 0.02; touch a.raw",
    "make",
    "make -n",
    "make a.end",
    "ls",
    "rm a.final",
    "make -n",
    **{"a.raw": "x"},
)
case(
    "secondary",
    "all: a.final\n%.final: %.mid ; cp $< $@\n%.mid: %.raw ; cp $< $@\n.SECONDARY:\n",
    "make",
    "make",
    **{"a.raw": "x"},
)

# Recipes -------------------------------------------------------------------------------------------------------

case(
    "recipe lines",
    r"""
    all: ; @echo first # kept
    	echo plain
    	@echo silent
    	-false
    	+echo plus
    	@-exit 3
    	-@echo both
    	 @ echo spaces
    	@echo continued \
    	  line \
    and more
    	echo 'quoted \
    	text'
    	@echo $$$$ | grep -c . ; x=1; echo $$x
    	@echo "[$$x]"

    	# a comment for the shell
    # a comment for make
    	@echo after comment
    	$(EMPTY)
    	@$(EMPTY)
""",
)
case(
    "failing",
    "all: a b\na: ; @echo a; exit 3; echo no\nb: ; @echo b\nc: ; -exit 2\n\t@echo went on\nd:\n\t@true\n\t@false\n\t@echo never\ne: d\n",
    "make",
    "make -k",
    "make -i",
    "make c",
    "make d",
    "make -k e b",
    "make -k d b",
    "make -s a",
)
case(
    "delete on error",
    ".DELETE_ON_ERROR:\na: ; echo x > a; exit 1\nb: ; echo y > b; false\n.PRECIOUS: b\n",
    "make",
    "ls",
    "make b",
    "ls",
)
case("special targets", ".SILENT: a\n.IGNORE: b\na: ; echo a\nb: ; exit 1\nc: ; echo c\n", "make a b c")
case("all silent", ".SILENT:\na: ; echo a\n", "make")
case(
    "one shell",
    r"""
    .ONESHELL:
    all:
    	x=1
    	@echo $$x
    	-echo two
    	cat <<END
    	  here $@
    	END
    fails:
    	false
    	echo continues
    	exit 4
""",
    "make",
    "make fails",
)
case(
    "shell flags",
    "SHELL = /bin/bash\n.SHELLFLAGS = -eu -o pipefail -c\nall: ; false | true; echo not reached\nb: ; @echo $$UNSET_VARIABLE; echo no\n",
    "make",
    "make -s b || true",
)
case(
    "another shell",
    "SHELL = /usr/bin/python3\n.SHELLFLAGS = -c\n.ONESHELL:\nall:\n\tx = 6\n\tprint(x * 7, '$@')\n",
)
case(
    "dry run",
    "all: a ; echo all $(shell echo shell)\na: ; @echo silent\n\t+@echo plus\n\t@echo $(MAKE)\n",
    "make -n",
    "make -ns",
    "make --just-print",
)
case(
    "question",
    "a: b\n\ttouch a\n.PHONY: p\np: ; @echo p\nn: a\n",
    "make -q",
    "make",
    "make -q",
    "make -q p",
    "make -q n",
    "make -q nope",
    b="",
)
case(
    "touch",
    "a: b c\n\techo never\nc: ; echo never\n.PHONY: p\np: ; echo p\n",
    "make -t",
    "make -t",
    "make -ts -B",
    "make -t p",
    "ls",
    b="",
)
case("ignore and silent", "a: ; exit 1\nb: a ; echo b\n", "make -i b", "make -is b", "make --keep-going b")
case("recipe prefix", ".RECIPEPREFIX = >\nall:\n> @echo prefixed\n>@echo again\n")
case(
    "blank lines and comments",
    "# c\n\n  \nall: # nothing\n\n\n\t@echo one\n\n# c\n\t@echo two\n  # c\n\n\t\n\t@echo three\n",
)
case("windows line ends", "A = 1\r\nall: b\r\n\t@echo '$(A)'\r\nb: ; @echo b\r\n")
case("no newline at the end", "all:\n\t@echo end")
case("continuations", "A = one \\\n   two\\\n\tthree\nall: b \\\n  c\n\t@echo '$(A)' $^\nb c:\nB = x \\\n")
case("tabbed assignments", "\tA = tabbed\nall: ; @echo $(A)\n")
case(
    "semicolons and hashes",
    "A = a;b\nall: b;@echo '$(A)' # not a comment\nb: # comment ; not recipe\nc: ; @echo 'x#y' $(subst \\#,h,a\\#)\n",
    "make",
    "make c",
)

# Several makefiles ---------------------------------------------------------------------------------------------

case(
    "include",
    "include a.mk b*.mk $(C)\n-include nope.mk\nsinclude nope2.mk\nall: ; @echo $(A) $(B1) $(B2)\n",
    "make",
    "make C=c.mk",
    **{"a.mk": "A = a\n", "b1.mk": "B1 = 1\n", "b2.mk": "B2 = 2\n", "c.mk": "$(warning included)\n"},
)
case("missing include", "all: ; @echo x\ninclude nope.mk\n")
case(
    "include directory",
    "include x.mk\nall: ; @echo $(X)\n",
    "make -I inc",
    "make --include-dir=inc",
    **{"inc/x.mk": "X = found\n"},
)
case(
    "generated include",
    r"""
    all: ; @echo $(GENERATED)
    include gen.mk
    -include gen2.d
    gen.mk: source
    	@echo generating $@; echo GENERATED = $$(cat source) > $@
    %.d: ; @echo generating $@; touch $@
""",
    "make",
    "make",
    "sleep 0.02; echo new > source",
    "make",
    "make -n",
    source="first\n",
)
case("generated include fails", "include gen.mk\ngen.mk: ; @echo try; exit 2\nall: ; @echo all\n")
case("optional include fails", "-include gen.mk\ngen.mk: ; @echo try; exit 2\nall: ; @echo all\n")
case(
    "other names",
    "all: ; @echo default\n",
    "make -f x.mk",
    "make -fx.mk -f y.mk second",
    "make --file=nope.mk",
    "make --makefile x.mk",
    "cat x.mk | make -f -",
    "mv Makefile keep",
    "make",
    "make target",
    **{"x.mk": "first: ; @echo x\n", "y.mk": "second: ; @echo y\n"},
)
case("makefile precedence", "all: ; @echo Makefile\n", "make", makefile="all: ; @echo makefile\n")
case("empty makefile", "\n", "make", "make x")
case(
    "directory",
    "all: ; @echo top\n",
    "make -C sub",
    "make -C sub -C deeper",
    "make --directory=nope",
    "make -C sub --no-print-directory",
    "make -w",
    "make -sC sub",
    **{
        "sub/Makefile": "all: ; @echo sub; pwd | sed 's,.*/,,'\n",
        "sub/deeper/Makefile": "all: ; @echo deeper\n",
    },
)
case(
    "recursion",
    r"""
    export EXPORTED = e
    PLAIN = p
    all: ; @echo level $(MAKELEVEL); $(MAKE) -C sub target X=1
    	+@$(MAKE) -s -C sub quiet
    fails: ; $(MAKE) -C sub fails
    	@echo never
    after: ; @echo after
""",
    "make",
    "make Y='a b'",
    "make -n",
    "make -k fails after",
    "make fails",
    "make --no-print-directory",
    **{
        "sub/Makefile": "target: ; @echo in $(MAKELEVEL) $(EXPORTED) '$(PLAIN)' $(X) '$(Y)' '$(MAKEFLAGS)'\nquiet: ; @echo quiet\nfails: ; @exit 5\n"
    },
)
case("flags in the makefile", "MAKEFLAGS += --silent -k\nall: a b\na: ; exit 1\nb: ; echo b\n", "make")
case(
    "flags in the environment",
    "all: a b ; @echo '$(MAKEFLAGS)' $(V)\na: ; exit 1\nb: ; echo b\n",
    "env MAKEFLAGS=ks make",
    "env 'MAKEFLAGS=i -- V=1' make",
    "make -kij2 -l 3 V=2",
)
case("wrong options", "all: ; @echo x\n", "make -%", "make --zork", "make -C", "make --directory")
case(
    "flag words",
    "all: ; @echo '$(MAKEFLAGS)' '$(findstring s,$(firstword -$(MAKEFLAGS)))'\n",
    "make",
    "make -s",
    "make -ki",
    "make --no-print-directory",
    "make -w A=1",
    "make -n -s -k",
)
