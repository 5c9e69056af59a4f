"""Writes the examples of docs/protocol.md as seeds, one file each, and their words as a dictionary."""

import json
import pathlib
import re
import sys

page = pathlib.Path(__file__).parent.joinpath("../../docs/protocol.md").read_text()
out = pathlib.Path(sys.argv[1])


def lines(side):
    blocks = re.findall(rf"```json {side}\n(.*?)\n```", page, re.DOTALL)
    return [line for block in blocks for line in block.split("\n")]


def write(target, seeds):
    folder = out / target
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds):
        (folder / str(number)).write_bytes(seed)


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


server = [json.loads(line) for line in lines("server")]
entries = [entry for message in server for entry in message.get("entries", [])]
parts = [message for message in server if message["t"] == "snapshot"]
grave = ["salt", 4, 4, 0, 1767225600000, {"cups": 1e300}, 5, 0, 1767225600001]
write("ClientMessage", [line.encode() for line in lines("client")])
write("ServerMessage", [line.encode() for line in lines("server")])
write("EntryRecord", [b"\x01" + bytes(16) + compact(entry) for entry in entries])
write("SnapshotRecord", [b"\x01" + compact(part | {"rows": part["rows"] + [grave]}) for part in parts])

words = set(re.findall(r'"[a-z_-]+":?', page)) | {r'"\ud83d\ude00"', "-0.0", "1e15", "5e-324"}
quoted = (word.replace("\\", "\\\\").replace('"', '\\"') for word in sorted(words))
(out / "words").write_text("".join(f'"{word}"\n' for word in quoted))
