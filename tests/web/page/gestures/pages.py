"""Pages for several gestures."""

FORM = "<form id=form><input id=a name=a><button id=send>Send</button></form>"
RADIOS = "".join(f"<label id=l{n}><input type=radio name=r id=r{n} value={n}>{n}</label>" for n in "123")
TEXT = '<input id=a value="one two three">'
AREA = "<textarea id=a rows=4 cols=20>one two\nthree four\nfive</textarea>"
EDITABLE = "<div id=a contenteditable>one two</div>"
ORDER = (
    '<button id=b1>1</button><a id=a0>no link</a><a id=a1 href="#x">link</a><div id=d1 tabindex=0>div</div>'
    "<input id=i1 value=text><input id=i2 disabled><div tabindex=-1 id=no>no</div><button id=b2 tabindex=1>first</button>"
    f"{RADIOS}<details id=e><summary id=s>More</summary><button id=in>in</button></details><textarea id=t></textarea>"
)
