"""What was measured before: Benchmarks/results/ROW.json, a list, the newest last."""
import datetime
import json
import os
import pathlib
import platform
import subprocess

FOLDER = pathlib.Path(__file__).resolve().parent / "results"
BEHIND = 1.10  # a figure that is more than 10 % worse than the last one is named


def machine():
    """What figures can be compared on: processor, cores, kernel."""
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{model}, {os.cpu_count()} cores, Linux {platform.release().split('-')[0]}"


def commit(root):
    """The commit that is checked out, with a mark where files differ from it."""
    def git(*words):
        return subprocess.run(
            ["git", "-C", str(root), *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True).stdout.strip()
    changed = any(not line[3:].startswith("Benchmarks/results/")
                  for line in git("status", "--porcelain").splitlines())
    return (git("rev-parse", "--short=12", "HEAD") or "none") + ("+" if changed else "")


def read(row, folder=FOLDER):
    file = folder / f"{row}.json"
    return json.loads(file.read_text()) if file.exists() else []


def append(row, figures, root, note=None, folder=FOLDER):
    folder.mkdir(parents=True, exist_ok=True)
    entries = read(row, folder)
    entries.append({
        "date": datetime.date.today().isoformat(), "commit": commit(root), "machine": machine(),
        **({"note": note} if note else {}),
        "figures": {figure.name: round(figure.value, 4) for figure in figures}})
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    (folder / f"{row}.json").write_text(f"[\n{lines}\n]\n")


def behind(row, figures, folder=FOLDER):
    """The figures that are worse than the last ones from the same machine, in words."""
    before = [entry for entry in read(row, folder) if entry["machine"] == machine()]
    if not before:
        return []
    last, found = before[-1]["figures"], []
    for figure in figures:
        old = last.get(figure.name)
        if not old or not figure.value:
            continue
        worse = old / figure.value if figure.more else figure.value / old
        if worse > BEHIND:
            found.append(
                f"{row} {figure.name}: {figure.value:.4g} {figure.unit}, it was {old:.4g} "
                f"({before[-1]['date']}, {before[-1]['commit']})")
    return found
