"""Apply the operations of model.py in the worker's Pyodide, and describe the resulting files."""

import hashlib
import json
import mmap
import os
import random
import shutil
import stat


def pattern(seed, length):
    return random.Random(seed).randbytes(length)


def write(path, seed, length):
    with open(path, "wb") as file:
        file.write(pattern(seed, length))


def append(path, seed, length):
    with open(path, "ab") as file:
        file.write(pattern(seed, length))


def patch(path, offset, seed, length):
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(pattern(seed, length))


def map_patch(path, offset, seed, length):
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[offset : offset + length] = pattern(seed, length)
        memory.flush()


def outside(path, name, seed, length):
    """Move a directory out of the roots, change it there, and move it back."""
    os.rename(path, "/tmp/outside")
    write(f"/tmp/outside/{name}", seed, length)
    os.rename("/tmp/outside", path)


def move_out(path, seed):
    """Move a file or directory out of the roots permanently, and change it there."""
    away = f"/tmp/away-{seed}"
    os.rename(path, away)
    write(f"{away}/more" if os.path.isdir(away) else away, seed, 100)


def import_tree(path, seed, count):
    """Create a directory elsewhere and move it in."""
    os.makedirs("/tmp/made/sub")
    for i in range(count):
        write(f"/tmp/made/sub/{i}", seed + i, 50)
    os.rename("/tmp/made", path)


def utime(path, ns):
    os.utime(path, ns=(ns, ns))


def apply(text):
    known = {
        "write": write,
        "append": append,
        "patch": patch,
        "map_patch": map_patch,
        "outside": outside,
        "import_tree": import_tree,
        "move_out": move_out,
        "utime": utime,
        "truncate": os.truncate,
        "mkdir": os.mkdir,
        "rmdir": os.rmdir,
        "unlink": os.unlink,
        "rename": os.replace,
        "symlink": os.symlink,
        "chmod": os.chmod,
        "rmtree": shutil.rmtree,
    }
    for name, *parameters in json.loads(text):
        known[name](*parameters)


def describe(path):
    """Return the type, permissions, mtime in ms, and the contents' digest or the link's target."""
    status = os.lstat(path)
    attributes = [status.st_mode & 0o7777, status.st_mtime_ns // 1_000_000]
    if stat.S_ISLNK(status.st_mode):
        return ["link", *attributes, os.readlink(path)]
    if stat.S_ISDIR(status.st_mode):
        return ["directory", *attributes, ""]
    with open(path, "rb") as file:
        return ["file", *attributes, hashlib.sha256(file.read()).hexdigest()]


def read_tree(*roots):
    """Return every path under the roots with its description, as JSON."""
    found = {}
    for root in roots:
        for folder, directories, files in os.walk(root):
            for name in directories + files:
                path = f"{folder}/{name}"
                found[path] = describe(path)
    return json.dumps(found)
