"""The library's modules as the compiler left them, for the tools beside this file."""
import pathlib
import platform
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILT = ROOT / ".build/debug"
FACES = ["Samelist", "SamelistTesting"]


def build():
    """Builds both faces and all below them, in debug."""
    run = subprocess.run(
        ["swift", "build", "-j", "2", "--target", "SamelistTesting"], cwd=ROOT,
        capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stdout + run.stderr)


def search_flags():
    """With which a compiler finds what was built."""
    folders = [BUILT / "Modules", *sorted((ROOT / "Sources").glob("C*"))]
    # SwiftPM makes these for the targets in C that have none of their own.
    maps = sorted(BUILT.glob("*.build/module.modulemap"))
    return [f"-I{path}" for path in folders] + [
        word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")]


def extract_graphs(modules, folder):
    """Writes the symbol graphs of modules, a file for each module that it extends."""
    triple = f"{platform.machine()}-unknown-linux-gnu"
    for module in modules:
        subprocess.run(
            ["swift", "symbolgraph-extract", "-module-name", module, "-target", triple,
             "-minimum-access-level", "public", "-skip-synthesized-members",
             "-output-dir", str(folder), *search_flags()], check=True)
