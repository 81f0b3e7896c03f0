"""Programs that start programs: run by CPython and by the page, which must print the same lines."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from subprocess import DEVNULL, PIPE, STDOUT, Popen, check_output, run
from typing import Any

PROBES: dict[str, Callable[[], Any]] = {}
PYTHON = sys.executable
# By these names, because checkers advise against them.
SYSTEM, POPEN = (getattr(os, name) for name in ("system", "popen"))


def probe(function: Callable[[], Any]) -> Callable[[], Any]:
    PROBES[function.__name__] = function
    return function


def python(code: str, *arguments: str, **options: Any) -> subprocess.CompletedProcess[Any]:
    return run([PYTHON, "-c", code, *arguments], **options)


def write(name: str, text: str, mode: int = 0o644) -> str:
    with open(name, "w") as file:
        file.write(text)
    os.chmod(name, mode)
    return name


# --- run and its relatives ---


@probe
def output_as_text() -> Any:
    done = run(["echo", "a  b"], capture_output=True, text=True)
    return done.args, done.returncode, done.stdout, done.stderr


@probe
def output_as_bytes() -> Any:
    return run(["printf", r"\377\0x"], stdout=PIPE).stdout


@probe
def input_as_text() -> Any:
    return run(["tr", "a-z", "A-Z"], input="hello\n", stdout=PIPE, text=True).stdout


@probe
def input_as_bytes_of_any_value() -> Any:
    return run(["cat"], input=bytes(range(256)), capture_output=True).stdout == bytes(range(256))


@probe
def bytes_through_a_python_child() -> Any:
    code = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])"
    return python(code, input=b"\xff\x00ab\r\n", capture_output=True).stdout


@probe
def both_streams_and_an_exit_code() -> Any:
    done = run("echo out; echo err >&2; exit 3", shell=True, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@probe
def stderr_to_stdout() -> Any:
    return run("echo a; echo b >&2; echo c", shell=True, stdout=PIPE, stderr=STDOUT, text=True).stdout


@probe
def devnull() -> Any:
    done = run("cat; echo x; echo y >&2", shell=True, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE)
    return done.stdout, done.stderr


@probe
def a_pipeline_in_the_shell() -> Any:
    return check_output("printf '3\n1\n2\n' | sort | head -2", shell=True, text=True)


@probe
def a_failed_check() -> Any:
    try:
        run("echo out; echo err >&2; exit 4", shell=True, check=True, capture_output=True)
    except subprocess.CalledProcessError as error:
        return error.returncode, error.cmd, error.stdout, error.stderr, str(error)


@probe
def check_output_fails() -> Any:
    return check_output(["false"])


@probe
def check_call_and_call() -> Any:
    return subprocess.check_call(["true"]), subprocess.call("exit 9", shell=True)


@probe
def getoutput() -> Any:
    return subprocess.getoutput("echo a; echo b >&2"), subprocess.getstatusoutput("echo c; exit 5")


@probe
def a_timeout_with_output() -> Any:
    try:
        run("echo early; sleep 20", shell=True, capture_output=True, timeout=1)
    except subprocess.TimeoutExpired as error:
        return error.cmd, error.timeout, error.output, error.stderr, str(error)


@probe
def a_timeout_of_a_list() -> Any:
    try:
        run(["sleep", "20"], timeout=0.2)
    except subprocess.TimeoutExpired as error:
        return error.cmd, error.output


@probe
def arguments_arrive_unchanged() -> Any:
    words = ["a b", "", "$HOME", "*", "it's", '"', "\\", "new\nline", "ü", ";", "-n"]
    return json.loads(python("import json, sys; print(json.dumps(sys.argv[1:]))", *words, stdout=PIPE).stdout)


@probe
def shell_with_a_list_of_arguments() -> Any:
    return check_output(["echo $0 $1-$2", "zero", "one", "two"], shell=True, text=True)


@probe
def a_timeout_of_code_that_never_pauses() -> Any:
    try:
        python("print('up', flush=True)\nwhile True: pass", stdout=PIPE, stderr=DEVNULL, timeout=1)
    except subprocess.TimeoutExpired as error:
        return error.output, error.timeout


# --- errors ---


@probe
def a_missing_program() -> Any:
    try:
        run(["no-such-program", "x"])
    except FileNotFoundError as error:
        return errno.errorcode[error.errno or 0], error.filename, str(error)


@probe
def a_missing_directory() -> Any:
    try:
        run(["true"], cwd="/no/such")
    except FileNotFoundError as error:
        return errno.errorcode[error.errno or 0], error.filename, str(error)


@probe
def a_file_that_is_not_executable() -> Any:
    try:
        run([f"./{write('plain', 'text')}"])
    except PermissionError as error:
        return errno.errorcode[error.errno or 0], error.filename, str(error)


@probe
def a_directory_as_program() -> Any:
    return run([os.sep])


@probe
def invalid_arguments() -> Any:
    errors: list[str] = []
    for options in (
        {"input": "x", "stdin": PIPE},
        {"capture_output": True, "stdout": PIPE},
        {"bufsize": "x"},
    ):
        try:
            run(["cat"], **options)  # type: ignore[call-overload]
        except (TypeError, ValueError) as error:
            errors.append(f"{type(error).__name__}: {error}")
    return errors


@probe
def a_nul_in_an_argument() -> Any:
    return run(["echo", "a\0b"])


@probe
def the_shell_misses_a_program() -> Any:
    return run("no-such-program", shell=True, stderr=DEVNULL).returncode


# --- directory, environment, files ---


@probe
def directory_and_environment() -> Any:
    os.makedirs("inner", exist_ok=True)
    done = run("pwd; echo $Z-$HOME", shell=True, cwd="inner", env={"Z": "1"}, capture_output=True, text=True)
    return done.stdout.replace(os.path.realpath("."), "HERE")


@probe
def the_program_s_own_environment() -> Any:
    os.environ["FROM_PARENT"] = "yes"
    code = "import os; print(os.environ['FROM_PARENT'], os.path.basename(os.getcwd()))"
    return python(code, cwd="inner", stdout=PIPE, text=True).stdout


@probe
def path_of_the_environment() -> Any:
    os.makedirs("bin", exist_ok=True)
    write("bin/mine", "#!/bin/sh\necho mine $1\n", 0o755)
    found = check_output(["mine", "x"], env={"PATH": f"{os.path.abspath('bin')}:/usr/bin:/bin"})
    return found, check_output(["bin/mine"])


@probe
def files_as_streams() -> Any:
    write("in.txt", "b\na\n")
    with open("in.txt") as source, open("out.txt", "w") as target:
        target.write("first\n")
        target.flush()
        run(["sort"], stdin=source, stdout=target, check=True)
        target.write("last\n")
    return open("out.txt").read()


@probe
def file_descriptors_as_streams() -> Any:
    number = os.open("fd.txt", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    run("echo x; echo y >&2", shell=True, stdout=number, stderr=number)
    os.lseek(number, 0, os.SEEK_SET)
    data = os.read(number, 100)
    os.close(number)
    return data


@probe
def a_temporary_file_as_stream() -> Any:
    with tempfile.TemporaryFile() as file:
        run(["echo", "stored"], stdout=file)
        file.seek(0)
        return file.read()


# --- Popen ---


@probe
def communicate() -> Any:
    with Popen(["wc", "-l"], stdin=PIPE, stdout=PIPE, text=True) as process:
        out, err = process.communicate("a\nb\n")
    return out.strip(), err, process.returncode, process.poll()


@probe
def a_dialog_with_a_running_program() -> Any:
    with Popen(["cat"], stdin=PIPE, stdout=PIPE, text=True, bufsize=1) as process:
        answers: list[str] = []
        for word in ("one", "two"):
            process.stdin.write(f"{word}\n")  # type: ignore[union-attr]
            process.stdin.flush()  # type: ignore[union-attr]
            answers.append(process.stdout.readline())  # type: ignore[union-attr]
        process.stdin.close()  # type: ignore[union-attr]
    return answers, process.returncode


@probe
def a_dialog_with_a_python_program() -> Any:
    code = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"
    with Popen([PYTHON, "-c", code], stdin=PIPE, stdout=PIPE, text=True, bufsize=1) as process:
        answers: list[str] = []
        for word in ("one", "two"):
            process.stdin.write(f"{word}\n")  # type: ignore[union-attr]
            answers.append(process.stdout.readline())  # type: ignore[union-attr]
    return answers, process.returncode


@probe
def lines_as_they_come() -> Any:
    with Popen("for n in 1 2 3; do echo $n; done", shell=True, stdout=PIPE, text=True) as process:
        return [line for line in process.stdout or []], process.wait()


@probe
def a_pipe_between_two_programs() -> Any:
    first = Popen(["printf", r"b\na\n"], stdout=PIPE)
    second = Popen(["sort"], stdin=first.stdout, stdout=PIPE)
    first.stdout.close()  # type: ignore[union-attr]
    return second.communicate()[0], first.wait(), second.returncode


@probe
def poll_until_the_end() -> Any:
    process = Popen(["sleep", "0.2"])
    seen = process.poll()
    deadline = time.monotonic() + 10
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    return seen, process.returncode


@probe
def programs_run_at_the_same_time() -> Any:
    start = time.monotonic()
    for process in [Popen(["sleep", "0.5"]) for _ in range(4)]:
        process.wait()
    return time.monotonic() - start < 1.5


@probe
def signals_end_a_program() -> Any:
    codes: list[int] = []
    for end in (Popen.kill, Popen.terminate, lambda process: process.send_signal(signal.SIGINT)):
        process = Popen(["sleep", "20"])
        end(process)
        codes.append(process.wait())
        end(process)
    return codes


@probe
def a_python_program_is_killed() -> Any:
    process = Popen(
        [PYTHON, "-c", "print('up', flush=True); import time; time.sleep(20)"], stdout=PIPE, stderr=PIPE
    )
    line = process.stdout.readline()  # type: ignore[union-attr]
    process.terminate()
    return line, process.communicate(), process.returncode


@probe
def a_wait_with_a_timeout() -> Any:
    process = Popen(["sleep", "20"])
    try:
        process.wait(timeout=0.1)
    except subprocess.TimeoutExpired as error:
        process.kill()
        return str(error), process.wait()


@probe
def communicate_again_after_a_timeout() -> Any:
    process = Popen("echo a; sleep 0.6; echo b", shell=True, stdout=PIPE, text=True)
    try:
        process.communicate(timeout=0.2)
    except subprocess.TimeoutExpired as error:
        return error.timeout, process.communicate(), process.returncode


@probe
def much_data_both_ways() -> Any:
    data = b"0123456789abcdef" * 20_000
    return run(["cat"], input=data, stdout=PIPE).stdout == data


@probe
def a_reader_that_leaves() -> Any:
    process = Popen(["yes"], stdout=PIPE)
    line = process.stdout.readline()  # type: ignore[union-attr]
    process.stdout.close()  # type: ignore[union-attr]
    return line, process.wait()


@probe
def encodings_and_newlines() -> Any:
    done = run(["printf", r"\344\r\nx"], stdout=PIPE, encoding="latin-1")
    return done.stdout, run(["cat"], input="é", stdout=PIPE, encoding="utf-16").stdout


# --- Python's own ---


@probe
def exit_codes_of_python() -> Any:
    codes = ["raise SystemExit(7)", "import sys; sys.exit('bye')", "1/0", "import os; os._exit(5)"]
    ended = [python(code, capture_output=True, text=True) for code in codes]
    return [(done.returncode, done.stderr.strip().split("\n")[-1]) for done in ended]


@probe
def nested_programs() -> Any:
    inner = (
        "import subprocess; print(subprocess.check_output('echo deep | rev', shell=True, text=True), end='')"
    )
    outer = f"import subprocess, sys; print(subprocess.run([sys.executable, '-c', {inner!r}]).returncode)"
    return python(outer, stdout=PIPE, text=True).stdout


@probe
def a_module() -> Any:
    return run(
        [PYTHON, "-m", "json.tool", "--compact"], input='{"a": 1}', capture_output=True, text=True
    ).stdout


@probe
def the_child_s_input_is_the_parent_s() -> Any:
    code = "import subprocess; subprocess.run(['true']); print(input()); subprocess.run(['true'])"
    return python(code, input="line\n", capture_output=True, text=True).stdout


# --- os ---


@probe
def os_system() -> Any:
    return SYSTEM("exit 3"), os.waitstatus_to_exitcode(SYSTEM("kill -9 $$"))


@probe
def os_popen() -> Any:
    with POPEN("echo hi | rev") as stream:
        text = stream.read()
    stream = POPEN("cat > popen.txt; exit 2", "w")
    stream.write("written")
    status = stream.close()
    return text, status, open("popen.txt").read()


@probe
def os_kill() -> Any:
    process = Popen(["sleep", "20"])
    os.kill(process.pid, signal.SIGTERM)
    return process.wait(), process.pid > 0


# --- asyncio ---


@probe
def asyncio_communicate() -> Any:
    async def main() -> Any:
        process = await asyncio.create_subprocess_exec("tr", "a", "b", stdin=PIPE, stdout=PIPE, stderr=PIPE)
        return await process.communicate(b"banana"), process.returncode

    return asyncio.run(main())


@probe
def asyncio_streams() -> Any:
    async def main() -> Any:
        process = await asyncio.create_subprocess_exec("cat", stdin=PIPE, stdout=PIPE)
        assert process.stdin and process.stdout
        process.stdin.write(b"one\n")
        await process.stdin.drain()
        line = await process.stdout.readline()
        process.stdin.close()
        return line, await process.stdout.read(), await process.wait()

    return asyncio.run(main())


@probe
def asyncio_shells_side_by_side() -> Any:
    async def one(number: int) -> Any:
        process = await asyncio.create_subprocess_shell(
            f"sleep 0.3; echo {number}; exit {number}", stdout=PIPE
        )
        out, _ = await process.communicate()
        return out, process.returncode

    async def main() -> Any:
        start = time.monotonic()
        return await asyncio.gather(*(one(number) for number in range(3))), time.monotonic() - start < 0.8

    return asyncio.run(main())


@probe
def asyncio_kill_and_timeout() -> Any:
    async def main() -> Any:
        process = await asyncio.create_subprocess_exec("sleep", "20")
        try:
            await asyncio.wait_for(process.wait(), 0.1)
        except TimeoutError:
            process.kill()
        return await process.wait(), process.returncode

    return asyncio.run(main())


@probe
def asyncio_misses_a_program() -> Any:
    return asyncio.run(asyncio.create_subprocess_exec("no-such-program"))


def outcome(function: Callable[[], Any]) -> str:
    try:
        text = repr(function())
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    # Each system has its own numbers.
    return re.sub(r"\[Errno (\d+)\]", lambda match: f"[{errno.errorcode[int(match[1])]}]", text)


def main() -> None:
    names = sys.argv[1:] or list(PROBES)
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        results = {name: outcome(PROBES[name]).replace(PYTHON, "PYTHON") for name in names}
        os.chdir("/")
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
