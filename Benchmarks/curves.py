"""How costs grow: `tools/bench --curves` measures, keeps and draws them, on logarithmic axes.

Points are kept in Benchmarks/results/curves.json and drawn as docs/plots/NAME.svg.
"""
import json
import math
import time
from xml.sax.saxutils import escape

from programs import ROOT, Server

PLOTS = ROOT / "docs" / "plots"
KEPT = ROOT / "Benchmarks" / "results" / "curves.json"
COLOURS = ("#1b6ca8", "#c8553d", "#588157", "#8d6a9f")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 320, 70, 190, 40, 50


def by_subscribers(bench):
    """Server CPU (us) of one edit at a time, by the number of those who read."""
    points = {"a delivery": {}, "an edit": {}}
    for count in (1, 10, 100, 1_000, 10_000):
        found = bench.load("fan-out", "--clients", count, "--rate", "one", "--seconds", 5)
        points["a delivery"][count] = found["server_cpu_per_delivery"] * 1e6
        points["an edit"][count] = found["server_cpu_per_edit"] * 1e6
    return "subscribers", "us of server CPU", points


def by_lists(bench):
    """Server CPU (us) and memory, 1,000 clients and 200 edits/s over so many lists."""
    points = {"us a delivery": {}, "us an edit": {}, "MB of memory": {}}
    for count in (1, 10, 100, 1_000):
        found = bench.load(
            "fan-out", "--clients", 1_000, "--lists", count, "--writers", count, "--rate", 200,
            "--seconds", 5)
        points["us a delivery"][count] = found["server_cpu_per_delivery"] * 1e6
        points["us an edit"][count] = found["server_cpu_per_edit"] * 1e6
        points["MB of memory"][count] = found["server_memory"] / 1e6
    return "lists", "us of server CPU, MB", points


def by_elements(bench):
    """The cost (us) of an edit, by the length of its list."""
    points = {"in the server": {}, "in the library": {}}
    for count in (100, 1_000, 10_000, 100_000):
        found = bench.load(
            "fan-out", "--clients", 5, "--rows", count, "--rate", "one", "--seconds", 5)
        points["in the server"][count] = found["server_cpu_per_edit"] * 1e6
    for name, value in bench.library("length").items():
        points["in the library"][int(name.rsplit("_", 1)[1])] = value
    return "elements", "us an edit", points


def by_history(bench):
    """Seconds until a list can be used, by the length of its log: start and first look."""
    points = {"start of the server": {}, "first look at the list": {}}
    for count in (100, 1_000, 10_000):
        with Server(bench.programs) as server:
            bench.limits(
                "--clients", 1, "--edits", count, "--server", server.port, "--pid",
                server.process.pid)
            server.stop()
            begun = time.monotonic()
            server.start()
            started = time.monotonic()
            server.run("ls", "limits")
            points["start of the server"][count] = started - begun
            points["first look at the list"][count] = time.monotonic() - started
    return "entries", "seconds", points


CURVES = {
    "subscribers": by_subscribers, "lists": by_lists, "elements": by_elements,
    "history": by_history,
}


class Axis:
    """Whole powers of ten around the values."""

    def __init__(self, values, start, length):
        known = [value for value in values if value > 0]
        self.low = math.floor(math.log10(min(known)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(known))))
        self.start, self.length = start, length

    def place(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + self.length * share

    @property
    def marks(self):
        return [10.0 ** power for power in range(self.low, self.high + 1)]


def text(words, x, y, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(words)}</text>'


def line(x1, y1, x2, y2):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            'stroke="#dddddd"/>')


def draw(title, along, upwards, points):
    """The curves of one plot as SVG: {curve: {x: y}}."""
    across = Axis([x for curve in points.values() for x in curve], LEFT, WIDTH)
    up = Axis([y for curve in points.values() for y in curve.values()], TOP + HEIGHT, -HEIGHT)
    parts = [text(title, LEFT, 20, 'font-size="14"')]
    for mark in across.marks:
        x = across.place(mark)
        parts += [line(x, TOP, x, TOP + HEIGHT),
                  text(f"{mark:,.0f}", x, TOP + HEIGHT + 18, 'text-anchor="middle"')]
    for mark in up.marks:
        y = up.place(mark)
        parts += [line(LEFT, y, LEFT + WIDTH, y),
                  text(f"{mark:g}", LEFT - 8, y + 4, 'text-anchor="end"')]
    parts += [text(along, LEFT + WIDTH / 2, TOP + HEIGHT + 38, 'text-anchor="middle"'),
              text(upwards, LEFT, TOP - 6)]
    for at, (name, curve) in enumerate(points.items()):
        known = [(x, y) for x, y in sorted(curve.items()) if y > 0]
        path = " ".join(f"{across.place(x):.1f},{up.place(y):.1f}" for x, y in known)
        colour = COLOURS[at % len(COLOURS)]
        parts.append(f'<polyline fill="none" stroke="{colour}" points="{path}"/>')
        parts.append(text(name, LEFT + WIDTH + 12, TOP + 12 + 18 * at, f'fill="{colour}"'))
    size = f'width="{LEFT + WIDTH + RIGHT}" height="{TOP + HEIGHT + BOTTOM}"'
    inside = "\n".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" '
            f'font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n{inside}\n</svg>\n')


def run(bench, names):
    """Measures these, keeps the points, and draws all that are kept."""
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for name in names:
        along, upwards, points = CURVES[name](bench)
        title = CURVES[name].__doc__.strip()
        kept[name] = {"title": title, "along": along, "upwards": upwards, "points": points}
        print(f"{name}: {title}")
        for curve, values in points.items():
            told = "  ".join(f"{x:,}: {y:.3g}" for x, y in sorted(values.items()))
            print(f"  {curve:<24}{told}", flush=True)
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    PLOTS.mkdir(parents=True, exist_ok=True)
    for name, plot in json.loads(KEPT.read_text()).items():
        points = {curve: {float(x): y for x, y in values.items()}
                  for curve, values in plot["points"].items()}
        picture = draw(plot["title"], plot["along"], plot["upwards"], points)
        (PLOTS / f"{name}.svg").write_text(picture)
