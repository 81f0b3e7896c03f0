"""A waterfall of a start of the page: which part begins when, and how long it lasts."""

from __future__ import annotations

from selenium.webdriver import Chrome

# Runs before the page's own scripts. The status line names the steps of Python's start.
WATCH = """
if (self === top) {
  const marks = (globalThis.bootMarks = {});
  const mark = (name) => (marks[name] ??= performance.now());
  const look = () => {
    const step = document.getElementById("status-text")?.textContent;
    if (step && step !== "Starting…") mark(step.replace("…", ""));
  };
  new MutationObserver(look).observe(document, { childList: true, characterData: true, subtree: true });
  const seeTools = async () => {
    const tools = await document.modelContext.getTools();
    if (tools.length > 30) mark("All tools");
  };
  document.modelContext?.addEventListener("toolchange", seeTools);
}
"""
READ = """
const [navigation] = performance.getEntriesByType("navigation");
const [paint] = performance.getEntriesByName("first-contentful-paint");
const script = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/ui.js"));
return {
  "The page's document": navigation.responseEnd,
  "Its script": script?.responseEnd ?? null,
  "First paint": paint?.startTime ?? null,
  ...globalThis.bootMarks,
};
"""
WIDTH = 50
# The steps in which Python starts; each lasts until the next one begins.
STEPS = ("Downloading Python", "Opening your files", "Starting the surface", "Ready")
Marks = dict[str, float]


def marks_of(driver: Chrome) -> Marks:
    """Return the milliseconds of each mark of a page that was watched, from the beginning of its navigation."""
    found: dict[str, float | None] = driver.execute_script(READ)
    return {name: at for name, at in found.items() if at is not None}


def spans(marks: Marks, result_ms: float) -> list[tuple[str, float, float]]:
    """Return the name, begin and end of each part, in milliseconds, in the order of their beginnings."""
    document = marks["The page's document"]
    found = [("The page's document", 0.0, document)]
    for name, begin in (("Its script", document), ("First paint", document), ("All tools", document)):
        if name in marks:
            found.append((name, begin, marks[name]))
    steps = [(name, marks[name]) for name in STEPS if name in marks]
    ends = [at for _, at in steps[1:]] + [result_ms]
    for (name, begin), end in zip(steps, ends, strict=True):
        found.append(("The first call" if name == "Ready" else name, begin, max(begin, end)))
    return sorted(found, key=lambda span: span[1:])


def draw(marks: Marks, result_ms: float) -> str:
    """Return the waterfall as lines of text: a bar for each part, its beginning and its duration."""
    parts = spans(marks, result_ms)
    scale = WIDTH / max(end for _, _, end in parts)
    widest = max(len(name) for name, _, _ in parts)
    lines = []
    for name, begin, end in parts:
        first = int(begin * scale)
        bar = " " * first + "█" * max(1, round((end - begin) * scale))
        lines.append(f"{name:<{widest}}  {bar:<{WIDTH + 1}} {begin:6.0f} + {end - begin:.0f} ms")
    if "All tools" in marks and "Ready" in marks:
        lines.append(
            f"getTools() has all tools at {marks['All tools'] / marks['Ready']:.3f} of the time to ready"
        )
    return "\n".join(lines)
