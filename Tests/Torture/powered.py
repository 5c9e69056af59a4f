"""A server whose power is cut: of what was not flushed, each page is there or not, by chance."""
import os
import pathlib
import shutil
import subprocess

from rig import Server

SOURCE = pathlib.Path(__file__).with_name("powered.c")
PAGE = 4096


class PoweredServer(Server):
    def __init__(self):
        super().__init__()
        self.flushed = self.base / "flushed"
        self.flushed.mkdir()
        self.library = self.base / "power.so"
        subprocess.run(["clang", "-O2", "-shared", "-fPIC", "-o", str(self.library), str(SOURCE),
                        "-ldl"], check=True)
        self.lost = 0

    async def start(self, inject=()):
        """The first start makes the files; those that follow remember what is flushed."""
        if self.environment is None:
            await super().start()
            await self.kill()
            self.keep()
            self.environment = os.environ | {
                "LD_PRELOAD": str(self.library), "POWER_DATA": str(self.data.resolve()),
                "POWER_FLUSHED": str(self.flushed)}
        return await super().start(inject)

    def keep(self):
        """What lies there now is on the disk."""
        for file in self.data.iterdir():
            if file.is_file():  # The operator's socket is none.
                shutil.copy(file, self.flushed / file.name)

    async def cut(self, rng):
        await self.kill()
        for draft in self.flushed.glob("*.part"):
            draft.unlink()
        for file in self.data.iterdir():
            kept = self.flushed / file.name
            if file.name.endswith("-shm"):
                file.unlink()
            elif kept.exists():
                file.write_bytes(self.mixed(kept.read_bytes(), file.read_bytes(), rng))
            else:
                file.unlink()
        self.keep()

    def mixed(self, flushed, written, rng):
        """The file as it was flushed, with some of the pages that were written since. One that was
        cut short since then is what it was, or what it became."""
        if len(written) < len(flushed):
            self.lost += 1
            return rng.choice((flushed, written))
        share = rng.choice((0, 0.5, 0.9))
        pages = []
        for at in range(0, len(written), PAGE):
            old, new = flushed[at: at + PAGE], written[at: at + PAGE]
            if old != new and rng.random() >= share:
                self.lost += 1
                # A page that was never there is a hole, where a later one may have come.
                new = old + bytes(len(new) - len(old))
            pages.append(new)
        if share == 0:
            return flushed
        return b"".join(pages)
