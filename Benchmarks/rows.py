"""The rows of `make bench`: what is measured, by which program, and what is to be reached.

Each row answers figures; a ratio is taken in one run on one machine, against `samelist-limits`
(the same bytes by epoll and send() alone) or against the same program on a smaller task.
"""
import json
import re
import subprocess
from dataclasses import dataclass

from programs import Broken, Server

SECONDS = 600  # how long one program may take


@dataclass
class Figure:
    """One measured number; `limit` is what it should not go above, or below where `more`."""
    name: str
    value: float
    unit: str = ""
    limit: float | None = None
    more: bool = False

    @property
    def reached(self):
        if self.limit is None:
            return None
        return self.value >= self.limit if self.more else self.value <= self.limit


class Figures(dict):
    """What a program measured; asking for what it did not is its fault, not ours."""

    def __missing__(self, name):
        raise Broken(f"{name} was not measured: is the machine too busy?")


class Bench:
    """Runs the programs; `scale` makes every task smaller, for a look or for tests."""

    def __init__(self, programs, scale=1.0):
        self.programs, self.scale = programs, scale

    def sized(self, count, least=1):
        return max(least, int(count * self.scale))

    def call(self, name, *words):
        """The object that a program prints."""
        command = [str(self.programs / name), *map(str, words)]
        try:
            done = subprocess.run(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=SECONDS)
        except FileNotFoundError:
            raise Broken(f"{command[0]} is not there: make build") from None
        if done.returncode != 0:
            raise Broken(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()}")
        return json.loads(done.stdout)

    def load(self, *words):
        found = self.call("samelist-load", *words, "--json", "--quiet")
        if found.get("bottleneck"):
            print(f"  note: {found['bottleneck']}")
        return Figures(found["figures"])

    def limits(self, *words):
        return self.call("samelist-limits", *words, "--json")

    def library(self, row):
        return self.call("LibraryBenchmark", row, "--json")


def times(count, measure):
    return [measure() for _ in range(count)]


def fan_out(bench):
    """One writer, 1,000 subscribers, one edit at a time: the same readers, bare and on a server."""
    sizes = ["--clients", bench.sized(1000, 10), "--edits", bench.sized(1000, 50), "--bytes", 190]
    with Server(bench.programs) as server:
        rounds = [
            (bench.limits(*sizes),
             bench.limits(*sizes, "--server", server.port, "--pid", server.process.pid))
            for _ in range(3)]
    bare, ours = ([r[i]["cpu_us_per_delivery"] for r in rounds] for i in (0, 1))
    bare99, ours99 = ([r[i]["delivery_us"]["p99"] for r in rounds] for i in (0, 1))
    return [
        Figure("bare_us", min(bare), "us"), Figure("us", min(ours), "us"),
        Figure("ratio", min(ours) / min(bare), "x bare", 1.25),
        Figure("p99_ratio", min(ours99) / min(bare99), "x bare", 1.5)]


def flat_out(bench):
    """The same, edits as fast as the server takes them, against bare's one frame an edit."""
    clients = bench.sized(1000, 10)
    bare = min(times(3, lambda: bench.limits(
        "--clients", clients, "--edits", bench.sized(500, 50), "--bytes", 190)[
            "cpu_us_per_delivery"]))
    ours = bench.load(
        "fan-out", "--clients", clients, "--rate", "max", "--window", 256, "--seconds",
        max(1, 10 * bench.scale))
    cost = ours["server_cpu_per_delivery"] * 1e6
    return [Figure("us", cost, "us"), Figure("ratio", cost / bare, "x bare", 0.3),
            Figure("edits_per_s", ours["edits_per_s"], "/s", more=True)]


def write(bench):
    """50 writers, all subscribed, every answer durable."""
    ours = bench.load(
        "write", "--rate", "max", "--window", 4, "--seconds", max(1, 10 * bench.scale))
    return [Figure("us", ours["server_cpu_per_edit"] * 1e6, "us", 50),
            Figure("edits_per_s", ours["edits_per_s"], "/s", 10_000, more=True),
            Figure("answers_p99_ms", ours["answers_p99"] * 1e3, "ms")]


def few_of_many(bench):
    """5 recipients among 5,000 connections, against 5 among 100."""
    def cost(connections):
        return min(times(2, lambda: bench.load(
            "fan-out", "--clients", 5, "--idle", connections - 5, "--rate", "one", "--seconds",
            max(1, 5 * bench.scale))["server_cpu_per_delivery"])) * 1e6
    few, many = cost(100), cost(bench.sized(5000, 200))
    return [Figure("us", many, "us"), Figure("ratio", many / few, "x among 100", 1.3)]


def library(bench):
    """100,000 random operations on 10,000 rows, and on a million; kept: stored work encoded, too."""
    local, remote = bench.library("local"), bench.library("remote")
    return [
        Figure("local_us", local["local_10000"], "us", 1),
        Figure("local_kept_us", local["local_kept_10000"], "us"),
        Figure("local_million_ratio", local["local_1000000"] / local["local_10000"], "x", 2),
        Figure("remote_us", remote["remote_10000"], "us", 1),
        Figure("remote_kept_us", remote["remote_kept_10000"], "us"),
        Figure("remote_alone_us", remote["remote_10000_alone"], "us"),
        Figure("remote_million_ratio", remote["remote_1000000"] / remote["remote_10000"], "x", 2)]


def pending(bench):
    """One remote edit under 100 pending ones."""
    found = bench.library("pending")
    return [Figure("us", found["under_pending_100"], "us", 20),
            Figure("none_us", found["under_pending_0"], "us")]


def queue(bench):
    """A queue of waiting mutations, answered 64 to a frame: each, by how many they are."""
    found = bench.library("queue")
    costs = {int(name.rsplit("_", 1)[1]): value for name, value in found.items()}
    figures = [Figure(f"us_{count}", costs[count], "us") for count in sorted(costs)]
    return figures + [Figure("ratio", costs[10_000] / costs[100], "x of 100")]


def join(bench):
    """First visits to a list of 100,000: bytes, CPU a joiner, the client's own time, memory."""
    rows = bench.sized(100_000, 1_000)
    ours = bench.load(
        "join", "--rows", rows, "--clients", 50, "--joins", 5, "--bytes", 24, "--seconds",
        max(1, 10 * bench.scale))
    size = int(ours["bytes_per_join"])
    bare = min(times(3, lambda: bench.limits(
        "--clients", 20, "--edits", 5, "--bytes", size)["cpu_us_per_delivery"]))
    client = bench.library("join")
    cost = ours["server_cpu_per_join"] * 1e6
    return [
        Figure("bytes", size, "B", 6_500_000),
        Figure("us", cost, "us"), Figure("ratio", cost / bare, "x bare", 1.5),
        Figure("client_ms", client["join_ms"], "ms", 150),
        Figure("memory_mb", ours["server_memory"] / 1e6, "MB", 60)]


def come_back(bench):
    """Back after 10,000 renames of 1,000 rows: the smaller of entries and snapshot."""
    found = bench.library("come-back")
    kind = min(("entries", "snapshot"), key=lambda kind: found[f"come_back_{kind}_bytes"])
    return [Figure("bytes", found[f"come_back_{kind}_bytes"], "B", 80_000),
            Figure("client_ms", found[f"come_back_{kind}_ms"], "ms", 20)]


def idle(bench):
    """10,000 connections that are subscribed and hear nothing."""
    ours = bench.load(
        "fan-out", "--clients", bench.sized(10_000, 100), "--rate", 1, "--seconds", 1)
    return [
        Figure("kb", ours["server_memory_per_connection"] / 1e3, "KB", 7),
        Figure("us", ours["server_cpu_per_connection"] * 1e6, "us", 80),
        Figure("memory_mb", ours["server_memory"] / 1e6, "MB", 120)]


def presence(bench):
    """1,000 clients join and say what they edit."""
    ours = bench.load(
        "fan-out", "--clients", bench.sized(1000, 20), "--presence", "--rate", 0, "--seconds", 1)
    return [Figure("cpu_s", ours["server_cpu_of_gathering"], "s", 0.5)]


def slow(bench):
    """One subscriber stops reading while 80 MB pass; the others must not notice, nor the memory."""
    def run(count):
        return bench.load(
            "slow-readers", "--clients", 20, "--slow", count, "--bytes", 60_000, "--rate", 70,
            "--seconds", max(2, 40 * bench.scale))
    without, ours = run(0), run(1)
    kept = ours["server_memory_peak"] - without["server_memory_peak"]
    return [
        Figure("p99_ratio", ours["delivery_p99"] / ours["before_p99"], "x before"),
        Figure(
            "p99_others_ratio", ours["delivery_p99"] / without["delivery_p99"], "x without", 1.2),
        Figure("kept_kb", kept / 1024, "KiB", 256),
        Figure("memory_mb", ours["server_memory_peak"] / 1e6, "MB")]


def length(bench):
    """The cost of an edit, against the length of its list."""
    found = bench.library("length")
    costs = {int(re.sub(r"\D", "", name)): value for name, value in found.items()}
    figures = [Figure(f"us_{size}", costs[size], "us") for size in sorted(costs)]
    return figures + [
        Figure("most_us", max(costs.values()), "us", 20),
        Figure("ratio", costs[1_000_000] / costs[100], "x of 100", 2)]


def storm(bench):
    """10,000 clients back after a restart of the server, while somebody writes."""
    ours = bench.load(
        "storm", "--clients", bench.sized(10_000, 50), "--rate", 20, "--seconds",
        max(4, 60 * bench.scale))
    return [Figure("all_back_s", ours.get("all_back", float("inf")), "s", 30),
            Figure("answers_p99_s", ours["answers_p99"], "s", 1)]


ROWS = {
    "fan-out": fan_out, "flat-out": flat_out, "write": write, "few-of-many": few_of_many,
    "library": library, "pending": pending, "queue": queue, "join": join,
    "come-back": come_back, "idle": idle, "presence": presence, "slow": slow, "length": length,
    "storm": storm,
}
