"""Writes seeds for each target, one file each, and the words of the protocol as a dictionary.

The examples of docs/protocol.md are the seeds of all that speaks the protocol; what else comes from
outside has a few of its own here.
"""

import json
import pathlib
import re
import struct
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
        (folder / str(number)).write_bytes(seed if isinstance(seed, bytes) else seed.encode())


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def extremes(line):
    """The line once for each of its numbers, with that at an end of its range."""
    for number in re.finditer(r"(?<=[:,\[])-?\d+(?=[,\]}])", line):
        for value in ("0", "-1", "9223372036854775807", "-9223372036854775808"):
            yield (line[: number.start()] + value + line[number.end() :]).encode()


client = [json.loads(line) for line in lines("client")]
server = [json.loads(line) for line in lines("server")]
entries = [entry for message in server for entry in message.get("entries", [])]
parts = [message for message in server if message["t"] == "snapshot"]
submits = [message for message in client if message["t"] == "submit"]
grave = ["salt", 4, 4, 0, 1767225600000, {"cups": 1e300}, 5, 0, 1767225600001]
entry_records = [b"\x01" + bytes(16) + compact(entry) for entry in entries]
part_records = [b"\x01" + compact(part | {"rows": part["rows"] + [grave]}) for part in parts]
mutation_records = [b"\x01" + compact({"client": "f3a9c2e1"} | message) for message in submits]
write("ClientMessage", lines("client"))
write("ServerMessage", lines("server"))
write("EntryRecord", entry_records)
write("SnapshotRecord", part_records)
write("MutationRecord", mutation_records)
row = {"id": "k7", "fields": {"title": "Milk"}, "version": 2, "placed": 1, "by": "ana", "at": 7}
write("ExportLine", [compact(line) for line in [
    {"samelist": "export", "format": 1, "at": 7}, row,
    {"list": "food", "tenant": "acme", "title": "Food", "schema": {"n": "number"}, "version": 3,
     "at": 7}, row | {"deleted": {"version": 3, "by": "bob", "at": 8}},
    {"end": "export", "lists": 1, "elements": 1, "deleted": 1}]])

# Conversations: one after another, all at once, and shorter ones.
hello = compact({"t": "hello", "v": 1, "client": "b", "name": "bob"})
talk = [line.encode() for line in lines("client")]
create = compact({"t": "open", "list": "food", "create": True})
write(
    "ClientTalk",
    [b"\n".join([talk[0], hello, create, create, *talk[1:]])]
    + [b"\n".join([talk[0], hello, create, create, line, line]) for line in talk]
    + [
        b"\n".join([talk[0], hello, create, create, talk[3], other, talk[4], other])
        for line in lines("client")[1:]
        for other in extremes(line)
    ],
)
talk = [line.encode() for line in lines("server")]
at_thirteen = [compact({"t": "entries", "list": "food", "entries": [entry]}) for entry in entries]
write(
    "ServerTalk",
    [b"\n".join(talk), b"\n".join(talk[:5] + at_thirteen)]
    + [b"\n".join(talk[:3] + [line]) for line in talk]
    + [
        b"\n".join(talk[:5] + [other, talk[7], talk[8]])
        for line in lines("server")
        for other in extremes(line)
    ],
)


def kept(**items):
    """What a client keeps of a list, as ClientState takes it apart."""
    return b"\x1e".join(key.encode() + b"\n" + value for key, value in items.items())


def pending(record, head):
    text = compact(head)
    return struct.pack("<I", len(text)) + text + record


editor = {
    "id": "tea", "policy": "draft", "serial": 3, "shown": {"title": "Tea"}, "theirs": {},
    "touched": {"title": "Green tea"}, "base": {"title": "Tea"}, "birth": 5,
    "commit": [6, "merge", {"title": "Green tea"}],
    "vanish": ["deleted", "bob", 1767225600000, 14],
}  # fmt: skip
number = "0" * 19
whole = [json.loads(json.dumps(part)) for part in parts]
write(
    "ClientState",
    [
        kept(position=b'["b7Qx.n3Rk",7,[[3,"id_taken"]],[2]]'),
        kept(
            position=b'[null,6,[],[]]',
            **{"pending/" + number + "5": pending(mutation_records[0], [1767225600000, "ana", None])},
            **{"pending/" + number + "6": pending(mutation_records[1], [1767225600000, "ana", "tea", True])},
            **{"editor/tea": compact(editor)},
        ),
        kept(
            position=b'["b7Qx.n3Rk",6,[],[]]',
            **{f"c/part/{number}{index}": record for index, record in enumerate(part_records)},
            **{f"c/entry/{number}{index}": record for index, record in enumerate(entry_records)},
            **{"editor/tea": compact({k: v for k, v in editor.items() if k not in ("birth", "vanish", "commit")})},
        ),
    ],
)  # fmt: skip

write(
    "ShellLine",
    [
        "open food --create", 'add title="Oat milk" cups=2 --id k7 --after tea', "add --first",
        "set k7 done=true note=null", "unset k7 note cups", "count k7 cups -1.5",
        "move k7 tea --before bread", "delete k7 --unless-edited", "restore k7 --with-draft", "undo",
        'filter milk done=true --pin "two words"', "sort title --descending", "edit k7 --live",
        r'draft k7 title="say \"hi\" \ud83d\ude00"', "commit k7 --merge", "cancel k7",
        "save-new k7 --id k8 --last", "discard 3", "history k7", "drop-list", 'set k7 f=[1,{"a":-0.0}]',
        "# nothing", "quti", "e\u0301\u200d\U0001f468\u202e=1 \x1b[2J",
    ],
)  # fmt: skip
write(
    "ImportFile",
    [
        '\0{"v":1,"id":"k7","fields":{"title":"Milk","done":true,"n":[1,2.5,null]}}\n{"title":"Tea"}\r\n',
        '\x01id,title,done,"a ""b"""\r\nk7,"Oat, milk",true,1\r\n,Tea,,"two\nlines"\r\n',
        "\x02# Food\n\n- [x] Milk\n  * [ ] Tea\n1. Bread\n12) Jam\nnone\n",
    ],
)
write(
    "Addresses",
    ["ws://127.0.0.1:7420/", "wss://[::1]:1", "https://example.org", "host:65535", "b7Qx.n3Rk", "ana b"],
)  # fmt: skip

words = set(re.findall(r'"[a-z_-]+":?', page)) | {r'"\ud83d\ude00"', "-0.0", "1e15", "5e-324"}
words |= {"9223372036854775807", "-9223372036854775808", "--after", "--before", "--id", "://"}
quoted = (word.replace("\\", "\\\\").replace('"', '\\"') for word in sorted(words))
(out / "words").write_text("".join(f'"{word}"\n' for word in quoted))
