"""Programs on a terminal: they wait for lines, passwords and the debugger's commands, and `python` is interactive."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Callable
from types import FrameType

from gemini.computer.network.importing import when_imported
from gemini.computer.python import process, program, stdio, tracebacks
from gemini.computer.python.completion import complete
from gemini.core import ffi, interrupts
from gemini_userland import interactive
from gemini_userland.interactive import debugger, passwords, reader, repl
from gemini_userland.invocation import Keyboard, LineRequest, ReadInterrupted

tracebacks.hide_frames_of(__file__)
for module in (interactive, debugger, passwords, reader, repl):
    tracebacks.hide_frames_of(str(module.__file__))


def open_input(keyboard: Keyboard) -> reader.TerminalReader:
    """Return a standard input that reads from a terminal."""
    when_imported("getpass", lambda module: passwords.patch(module, _current_reader))
    when_imported("bdb", lambda module: debugger.patch(module, _is_foreign))
    when_imported("pdb", debugger.leave_interrupts)

    def read(request: LineRequest) -> str | None:
        # In a context of no program: the keyboard is the surface's own code.
        line = asyncio.get_running_loop().create_task(_settle(keyboard, request), context=process.detached())
        try:
            answer = ffi.wait(line)
        except RuntimeError as error:
            line.cancel()
            needs = (
                "it has no JavaScript Promise Integration (JSPI)" if ffi.lacks_stack_switching() else error
            )
            raise io.UnsupportedOperation(
                f"this browser can't wait for input: {needs}. Pass the input by a pipe or a file"
            ) from None
        if isinstance(answer, ReadInterrupted):
            raise KeyboardInterrupt
        return answer

    return reader.TerminalReader(read, _flush)


async def _settle(keyboard: Keyboard, request: LineRequest) -> str | ReadInterrupted | None:
    try:
        return await keyboard.read_line(request)
    except ReadInterrupted as interrupted:
        return interrupted


def _is_foreign(frame: FrameType) -> bool:
    """Return whether a frame belongs to the surface or the event loop, or to a library that they call."""
    caller: FrameType | None = frame
    while caller is not None and caller.f_code.co_filename.startswith(interrupts.STDLIB):
        if caller.f_code.co_filename.startswith(interrupts.LOOP):
            return True
        caller = caller.f_back
    return caller is None or caller.f_code.co_filename.startswith(interrupts.PACKAGE)


def _flush() -> None:
    streams = stdio.current()
    if streams is not None:
        streams.flush()


def _current_reader() -> reader.Read | None:
    streams = stdio.current()
    source = None if streams is None else streams.source
    return source.read_line if isinstance(source, reader.TerminalReader) else None


class Session:
    """Python's interactive mode in a program.

    Args:
        keyboard: The terminal.
        streams: The program's streams, whose standard input `open_input` returned.
        banner: Print Python's version first.
    """

    def __init__(self, keyboard: Keyboard, streams: stdio.Streams, *, banner: bool) -> None:
        self._keyboard = keyboard
        self._streams = streams
        self._banner = banner

    def run(self, running: program.Program, code: Callable[[], object] | None = None) -> None:
        """Run `code`, if any, and then statements from the terminal, in the namespace of `__main__`."""
        if code is not None:
            try:
                code()
            except program.HardExit:
                raise
            except BaseException as error:
                # Also SystemExit, as in CPython: the session inspects the program's variables.
                running.report(error)
        if self._banner:
            print(
                f'Python {sys.version}\nType "help", "copyright", "credits" or "license" for more information.'
            )
        source = self._streams.source
        assert isinstance(source, reader.TerminalReader)
        namespace = vars(sys.modules["__main__"])
        self._keyboard.on_interrupt(running.interrupt)
        try:
            repl.Repl(
                namespace,
                source.read_line,
                running.report,
                lambda text, cursor: [each.text for each in complete(text, cursor, namespace).candidates],
                self._keyboard.take_interrupt,
            ).run()
        finally:
            self._keyboard.on_interrupt(None)
