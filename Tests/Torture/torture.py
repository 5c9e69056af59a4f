"""Kills, faults and bad lines on real processes, and the account of what became of the work.

Usage: torture.py [--seed S] PART [COUNT] …      each PART is the file of that name beside this one
Each part prints a line of figures, the last line sums them up; exit status 1 with the faults where
something was lost, twice, out of order, or told wrongly. Parts that need strace, or root for a
tmpfs, are skipped without.
"""
import asyncio
import importlib
import random
import shutil
import sys

from run import Tally


async def main(arguments):
    seed = random.randrange(1 << 30)
    if arguments[:1] == ["--seed"]:
        seed, arguments = int(arguments[1]), arguments[2:]
    print(f"seed {seed}", flush=True)
    whole, passed, failed = Tally(), 0, 0
    while arguments:
        name, arguments = arguments[0], arguments[1:]
        count = 0
        if arguments and arguments[0].isdigit():
            count, arguments = int(arguments[0]), arguments[1:]
        part = importlib.import_module(name)
        need = getattr(part, "NEEDS", None)
        if need and not shutil.which(need):
            print(f"{name}: skipped, there is no {need}")
            continue
        came = await part.play(count, random.Random(f"{seed} {name}"))
        whole, passed, failed = whole + came, passed + (not came.wrong), failed + bool(came.wrong)
    for kind, fault in whole.wrong[:40]:
        print(f"FAULT {kind}: {fault}")
    print(whole.line)
    print(f"{passed} passed, {failed} failed")
    return 1 if whole.wrong else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
