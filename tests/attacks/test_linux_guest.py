"""Root of a booted Linux attacks the files next to the ones that it shares with the surface."""

from __future__ import annotations

import pytest

from tests.attacks.linux_guest import BUSYBOX, Guest

pytestmark = pytest.mark.extended(together="linux")

# `/outer` is next to `/project`, and both are Python's. Linux sees `/project` alone.
PREPARE = """
import os, shutil
for folder in ("/outer", "/project/own", "/project/race"):
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
open("/outer/secret.txt", "w").write("SECRET")
open("/project/own/own.txt", "w").write("OWN")
for link, target in (("l", "/outer"), ("up", "../../outer")):
    os.symlink(target, f"/project/own/{link}")
"""
OUTSIDE = "import os\n[sorted(os.listdir('/outer')), open('/outer/secret.txt').read()]"


@pytest.fixture(autouse=True, scope="module")
def files(guest: Guest) -> None:
    guest.surface.python(PREPARE)


# Each attack, and the same within the folder.
FILES = {
    "parents": ("cat /project/../outer/secret.txt", "cat /project/own/../own/own.txt"),
    "a link of Python's": ("cat /project/own/l/secret.txt", "cat /project/own/own.txt"),
    "a relative link of Python's": ("cat /project/own/up/secret.txt", "cat /project/own/own.txt"),
    "a link of its own": (
        "cd /project/own; ln -sfn ../../outer m; cat m/secret.txt; rm m",
        "cd /project/own; ln -sfn ../own m; cat m/own.txt; rm m",
    ),
    "writing by a link": (
        "echo EVIL >/project/own/l/secret.txt; echo EVIL >/project/own/l/new",
        "echo OWN >/project/own/new; cat /project/own/new",
    ),
    "moving a file out": (
        "cp /project/own/own.txt /project/own/gone; mv /project/own/gone /project/own/l/gone",
        "cp /project/own/own.txt /project/own/a; mv /project/own/a /project/own/b; cat /project/own/b",
    ),
    "a hard link": (
        "$busybox ln /project/own/l/secret.txt /project/own/h; cat /project/own/h",
        "cat /project/own/own.txt",
    ),
    "a device": (
        "$busybox mknod /project/own/d b 8 0; $busybox mknod /project/own/c c 1 1; head -c 9 /project/own/d",
        "$busybox mknod /tmp/zero c 1 5 && head -c 3 /tmp/zero | tr '\\0' O | sed s/OOO/OWN/",
    ),
    "long names": (
        'n=$(printf "%0300d" 0); cat "/project/$n"; cat /project/own/../../../../../../outer/secret.txt',
        'n=$(printf "%0200d" 0); cp /project/own/own.txt "/project/own/$n"; cat "/project/own/$n"',
    ),
    "the folder mounted elsewhere": (
        "mkdir -p /mnt; $busybox mount -t 9p -o trans=virtio,version=9p2000.L,aname=/outer host9p /mnt;"
        " cat /mnt/secret.txt /mnt/outer/secret.txt; $busybox umount /mnt",
        "$busybox mount | grep -q ' /project ' && cat /project/own/own.txt",
    ),
    "a race of a folder and a link": (
        "cd /project/race; for n in 1 2 3 4 5 6 7 8 9 10; do rm -rf d; mkdir d; echo x >d/secret.txt; rm -r d;"
        " ln -s ../../outer d; done & for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do"
        " cat /project/race/d/secret.txt; echo EVIL >>/project/race/d/secret.txt; done 2>&1; wait",
        "cat /project/own/own.txt",
    ),
    "an open folder that Python moves": (
        "cd /project/own && mkdir -p in && cd in && cat ../../../outer/secret.txt ../../outer/secret.txt",
        "cd /project/own && mkdir -p in && cd in && cat ../own.txt",
    ),
}


@pytest.mark.parametrize("attack", FILES)
def test_root_gets_no_file_beside_the_folder(guest: Guest, attack: str) -> None:
    command, control = FILES[attack]
    printed, questions = guest.run(f"{BUSYBOX}; {command}")
    assert "SECRET" not in printed and questions == []
    assert guest.surface.python(OUTSIDE) == [["secret.txt"], "SECRET"]
    assert "OWN" in guest.run(f"{BUSYBOX}; {control}")[0]
