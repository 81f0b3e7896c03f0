"""Markup that tries to act on the surface around it. `HERE` is the text that a user presses, `OUT` another origin."""

from __future__ import annotations

PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

# In a page that doesn't sanitize, a press on each of these presses, opens, focuses or requests something.
ACTING = {
    "label for a button": "<label for=target>HERE</label>",
    "label with a picture": f"<label for=target><img width=80 height=20 src='{PIXEL}' alt=''>HERE</label>",
    "label in a label": "<label><label for=target>HERE</label></label>",
    "label with a nested element": "<label for=target><b><i>HERE</i></b></label>",
    "label in a table": "<table><tr><td><label for=target>HERE</label></table>",
    "label in details": "<details open><summary>more</summary><label for=target>HERE</label></details>",
    "label in a summary": "<details><summary><label for=target>HERE</label></summary></details>",
    "label in a heading": "<h2><label for=target>HERE</label></h2>",
    "label in a link": "<a name=x><label for=target>HERE</label></a>",
    "label for a field": "<label for=field>HERE</label>",
    "label for a box": "<label for=box>HERE</label>",
    "label in uppercase": "<LABEL FOR=target>HERE</LABEL>",
    "label with an entity": "<label for='&#116;arget'>HERE</label>",
    "label after a comment": "<!--><label for=target>HERE</label>",
    "label in foreign content": "<svg><foreignObject width=90 height=20><label for=target>HERE</label></svg>",
    "label in mathematics": "<math><mtext><label for=target>HERE</label></mtext></math>",
    "button that opens a popover": "<button popovertarget=pop>HERE</button>",
    "field that opens a popover": "<input type=button popovertarget=pop value=HERE>",
    "command that shows a dialog": "<button commandfor=modal command=show-modal>HERE</button>",
    "command that shows a popover": "<button commandfor=pop command=show-popover>HERE</button>",
    "submit of a form elsewhere": "<button form=form>HERE</button>",
    "field that submits a form elsewhere": "<input type=submit form=form value=HERE>",
    "submit with another address": "<button form=form formaction='OUT/f' formtarget=_blank>HERE</button>",
    "reset of a form elsewhere": "<button type=reset form=form>HERE</button>",
    "own form": "<form action='OUT/f'><button>HERE</button></form>",
    "own form in a new window": "<form action='OUT/f' target=_blank><button>HERE</button></form>",
    "link to an element of the surface": "<a href='#field'>HERE</a>",
    "link to text of the surface": "<a href='#:~:text=Terminals'>HERE</a>",
    "link to the empty fragment": "<a href='#x' target=_self>HERE</a>",
    "link in a picture map": "<map name=m><area shape=default href='#field'></map>"
        f"<img usemap=#m alt=HERE src='{PIXEL}' width=60 height=20>",
    "link in an SVG": "<svg width=90 height=20><a href='#field'><text y=15>HERE</text></a></svg>",
    "link by XLink": "<svg width=90 height=20><a xlink:href='#field'><text y=15>HERE</text></a></svg>",
    "link with a script": "<a href='javascript:target.focus()'>HERE</a>",
    "link with a hidden script": "<a href='java&#9;script:target.focus()'>HERE</a>",
    "editable text": "<div contenteditable>HERE</div>",
    "text that takes the focus": "<div tabindex=0>HERE</div>",
    "field": "<textarea>HERE</textarea>",
    "list of options": "<select><option>HERE</select>",
    "handler": "<b onclick='target.focus()'>HERE</b>",
    "handler of a pointer": "<b onpointerdown='target.focus()' onmousedown='field.focus()'>HERE</b>",
}  # fmt: skip

# These need a key, a layout, a name or a shadow root, or only mislead.
LATENT = {
    "access key": "<a href='#field' accesskey=k>HERE</a>",
    "automatic focus": "<input autofocus value=HERE>",
    "open dialog": "<dialog open>HERE</dialog>",
    "shadow root by markup": "<div><template shadowrootmode=open><label for=target>HERE</label></template></div>",
    "slot of the surface": "<p slot=title>HERE</p>",
    "part of the surface": "<p part=panel exportparts=a>HERE</p>",
    "name that hides a property": "<img name=getElementById alt=x><a id=cookie name=body>HERE</a>",
    "id of the surface": "<b id=target>HERE</b>",
    "id of the question": "<b id=approval-once>HERE</b>",
    "custom element": "<gemini-surface>HERE</gemini-surface>",
    "extended element": "<p is=x-y>HERE</p>",
    "description of a control": "<p aria-describedby=target aria-labelledby=field>HERE</p>",
    "control of an element": "<b role=button aria-controls=target aria-owns=field aria-activedescendant=box>HERE</b>",
    "live announcement": "<p role=alert aria-live=assertive>HERE</p>",
    "modal by role": "<p role=dialog aria-modal=true>HERE</p>",
    "result of a control": "<output for=target form=form>HERE</output>",
    "text over the surface": "<p style='position:fixed;inset:0;z-index:9' class=approval>HERE</p>",
    "style of the surface": "<style>#approval { display: none }</style>HERE",
    "moving text": "<marquee>HERE</marquee>",
    "drag": "<p draggable=true>HERE</p>",
    "inert": "<p inert>HERE</p>",
    "popover": "<p popover=manual>HERE</p>",
    "exclusive details": "<details name=x open><summary>HERE</summary></details>",
    "base": "<base href='OUT/'>HERE",
    "refresh": "<meta http-equiv=refresh content='0;OUT/m'>HERE",
    "SVG use": "<svg><use href='OUT/u#x'/></svg>HERE",
    "SVG animation of a link": "<svg><a><animate attributeName=href to='#field'/><text>t</text></a></svg>HERE",
    "link in mathematics": "<math><mrow href='#field'><mtext>HERE</mtext></mrow></math>",
    "action of mathematics": "<math><maction actiontype=statusline><mi>a</mi><mi>b</mi></maction></math>HERE",
    "editing mode": "<p contenteditable=plaintext-only spellcheck=true enterkeyhint=go>HERE</p>",
    "frame": "<iframe src='OUT/i' srcdoc='x'></iframe>HERE",
    "object": "<object data='OUT/o'></object><embed src='OUT/e'>HERE",
    "ping": "<a ping='OUT/p' href='#field'>HERE</a>",
    "download": "<a download=x.exe href='data:text/plain,x'>HERE</a>",
    "blob": "<a href='blob:null/x'>HERE</a>",
    "file": "<a href='file:///etc/passwd'>HERE</a>",
}  # fmt: skip
CASES = ACTING | LATENT

# What may remain of markup, besides the surface's own parts of the view.
ELEMENTS = {
    "a", "abbr", "address", "article", "b", "bdi", "bdo", "big", "blockquote", "br", "caption", "center",
    "cite", "code", "col", "colgroup", "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption",
    "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "input", "ins", "kbd", "li", "mark",
    "meter", "ol", "p", "pre", "progress", "q", "rp", "rt", "ruby", "s", "samp", "section", "small", "span",
    "strike", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr",
    "tt", "u", "ul", "var", "wbr",
}  # fmt: skip
ATTRIBUTES = {
    "abbr", "align", "alt", "border", "checked", "colspan", "datetime", "dir", "disabled", "height", "high",
    "lang", "low", "max", "min", "open", "optimum", "reversed", "rowspan", "scope", "span", "src", "start",
    "title", "type", "valign", "value", "width",
}  # fmt: skip
# The surface's own: links, groups that the keyboard scrolls, boxes of tasks.
OWN = {"a role", "a tabindex", "div class", "div role", "div tabindex", "div aria-label", "input aria-label"}
