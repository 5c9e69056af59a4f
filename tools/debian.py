"""Debian folders for the tools beside this file: made with debootstrap, entered with chroot."""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

from programs import Broken

RELEASE = "bookworm"


def call(*command, **more):
    words = [str(word) for word in command]
    done = subprocess.run(words, **more)
    if done.returncode != 0:
        raise Broken(f"`{shlex.join(words)}` ended with {done.returncode}")
    return done


def said(*command):
    return call(*command, stdout=subprocess.PIPE, text=True).stdout


def acquire_settings():
    """How this machine reaches its packages: proxies and the like, and nothing else of its own."""
    return [line for line in said("apt-config", "dump").splitlines()
            if line.startswith("Acquire::") and not line.endswith('"";')]


def make_base(folder):
    print(f"=== debootstrap {RELEASE}", flush=True)
    mirror = said("apt-get", "indextargets", "--format", "$(REPO_URI)", f"Release: {RELEASE}",
                  "Component: main").splitlines()[0]
    proxy = said("apt-config", "shell", "PROXY", "Acquire::http::Proxy").strip()
    environment = dict(os.environ)
    if proxy:
        environment["http_proxy"] = shlex.split(proxy)[0].split("=", 1)[1]
    call("debootstrap", "--variant=minbase", RELEASE, folder, mirror,
         env=environment, stdout=subprocess.DEVNULL)


def share_host(root):
    """Name resolution, and where packages come from, as on this machine."""
    for name in ("resolv.conf", "hosts"):
        shutil.copy(f"/etc/{name}", root / "etc" / name)
    (root / "etc/apt/sources.list").unlink(missing_ok=True)
    for name in ("sources.list", "sources.list.d", "trusted.gpg.d", "keyrings"):
        source = pathlib.Path("/etc/apt") / name
        if source.is_dir():
            shutil.copytree(source, root / "etc/apt" / name, dirs_exist_ok=True)
        elif source.exists():
            shutil.copy(source, root / "etc/apt" / name)
    settings = "\n".join(acquire_settings()) + "\n"
    (root / "etc/apt/apt.conf.d/00host").write_text(settings)


def play_in_namespaces(script, arguments):
    """Runs a script again where mounts and processes end by themselves, with a folder to work
    in, and takes that away."""
    folder = tempfile.mkdtemp(prefix="samelist-debian-", dir="/var/tmp")
    try:
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", sys.executable]
        return subprocess.run([*command, script, "--inside", folder, *arguments]).returncode
    finally:
        subprocess.run(["rm", "-rf", "--one-file-system", folder])
