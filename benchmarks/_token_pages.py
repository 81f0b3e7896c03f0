"""The pages of `build.py bench tokens`: a table, a form, two lists, five linked pages, six steps, a long text."""

from __future__ import annotations

import json

from _token_tasks import ITEMS


def _page(title: str, body: str, script: str = "") -> str:
    return (
        f"<!doctype html><meta charset=utf-8><link rel=icon href=data:,><title>{title}</title>"
        f"<h1>{title}</h1>{body}<script>{script}</script>"
    )


ROWS = [(f"Order {n}", ITEMS[n % 10], 7 + n * 13 % 90) for n in range(200)]
TOTAL = sum(row[2] for row in ROWS)
TABLE = _page(
    "Orders",
    "<table><tr><th>Order<th>Item<th>Amount</tr>"
    + "".join(f"<tr><td>{a}<td>{b}<td>{c}</tr>" for a, b, c in ROWS)
    + "</table>",
)
FIELDS = {f"Field {n}": f"value {n * 7}" for n in range(1, 31)}
FORM = _page(
    "Registration",
    "<form>"
    + "".join(f"<p><label>{name} <input name='f{n}'></label>" for n, name in enumerate(FIELDS, 1))
    + "<p><button>Register</button></form><output></output>",
    f"""const wanted = {json.dumps([*FIELDS.values()])};
document.forms[0].onsubmit = (event) => {{
  event.preventDefault();
  const given = [...new FormData(event.target).values()];
  document.querySelector("output").textContent = String(given) === String(wanted) ? "Registered as 4711" : "Wrong";
}};""",
)
PRICES = [
    {f"{item} {size}": 100 + 7 * n + 3 * k for n, item in enumerate(ITEMS) for k, size in enumerate("SML")}
    for _ in range(2)
]
PRICES[1]["tea M"] += 5
PRICES[1]["honey L"] -= 9
DIFFERENT = ("tea M", "honey L")
LISTS = {
    f"prices{number}.html": _page(
        f"Prices {number}",
        "<ul>"
        + "".join(f"<li><b>{name}</b>: <span>{price}</span>" for name, price in rows.items())
        + "</ul>",
    )
    for number, rows in enumerate(PRICES, 1)
}
BOOKS = {
    f"books{number}.html": _page(
        f"Books, page {number}",
        "".join(
            f"<article><h2>Book {number}.{k}</h2><p>By author {k * number % 7}.</article>" for k in range(10)
        )
        + (f"<a href='books{number + 1}.html'>Next</a>" if number < 5 else ""),
    )
    for number in range(1, 6)
}
BY_THREE = sum(k * number % 7 == 3 for number in range(1, 6) for k in range(10))
STEPS = ["Small", "Red", "Round", "Wood", "Fast", "Gift"]
WIZARD = _page(
    "Configure",
    "<main></main>",
    f"""const steps = {json.dumps([[f"Choose {step}", step, f"Not {step}"] for step in STEPS])}, chosen = [];
const add = (name, text) => {{
  const element = document.createElement(name);
  element.textContent = text;
  document.querySelector("main").append(element);
  return element;
}};
const show = () => {{
  const step = steps[chosen.length];
  document.querySelector("main").replaceChildren();
  add("p", step ? step[0] : chosen.every((name, n) => name === steps[n][1]) ? "Your code is K-9931" : "Wrong");
  for (const name of step ? step.slice(1) : [])
    add("button", name).onclick = () => {{ chosen.push(name); show(); }};
}};
show();""",
)
ARTICLE = _page(
    "A history of tea",
    "".join(
        f"<p>In {1200 + n} the merchants of town {n} wrote about harvest {n * 31 % 97} and the roads that led there, "
        f"{'where the first auction was held on 4 May 1679' if n == 173 else 'where nothing of note was sold'}.</p>"
        for n in range(300)
    ),
)
PAGES = {
    "orders.html": TABLE,
    "form.html": FORM,
    "wizard.html": WIZARD,
    "tea.html": ARTICLE,
    **LISTS,
    **BOOKS,
}
