"""PDF files for tests (https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/pdfreference1.7old.pdf)."""

from __future__ import annotations

FIRST = 65
TO_UNICODE = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
{count} beginbfchar
{rows}
endbfchar
endcmap CMapName currentdict /CMap defineresource pop end end"""


def pdf(pages: list[list[str]], *, unicode: str = "", extra: str = "") -> str:
    """Return a PDF file as ASCII text, with a line of text for each item of a page.

    Args:
        pages: The lines of each page, in ASCII; those that begin with `\\u` show all of `unicode`.
        unicode: Characters or ligatures that a separate font maps from its own codes.
        extra: More of the trailer, such as an `/Encrypt` dictionary.
    """
    kids = " ".join(f"{5 + 2 * index} 0 R" for index in range(len(pages)))
    rows = "\n".join(
        f"<{code:02X}> <{character.encode('utf-16-be').hex().upper()}>"
        for code, character in enumerate(unicode, FIRST)
    )
    own = (
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Own /FirstChar {FIRST} /LastChar {FIRST + len(unicode) - 1} "
        f"/Widths [{' '.join(['600'] * len(unicode))}] /ToUnicode 4 0 R >>"
    )
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        _stream(TO_UNICODE.format(count=len(unicode), rows=rows)),
    ]
    codes = "".join(f"{code:02X}" for code in range(FIRST, FIRST + len(unicode)))
    for index, lines in enumerate(pages):
        shown = [
            f"/F2 12 Tf <{codes}> Tj" if line.startswith("\\u") else f"/F1 12 Tf ({line}) Tj"
            for line in lines
        ]
        fonts = f"<< /F1 3 0 R /F2 {own} >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font {fonts} >> "
            f"/Contents {6 + 2 * index} 0 R >>"
        )
        objects.append(_stream("BT 1 0 0 1 72 720 Tm 14 TL " + " T* ".join(shown) + " ET"))
    return _file(objects, extra)


def _stream(content: str) -> str:
    return f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"


def _file(objects: list[str], extra: str) -> str:
    text = "%PDF-1.7\n"
    places: list[int] = []
    for number, content in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj\n{content}\nendobj\n"
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    start = len(text)
    text += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{rows}"
    return f"{text}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {extra}>>\nstartxref\n{start}\n%%EOF\n"
