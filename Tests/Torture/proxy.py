"""A TCP proxy that does to connections what networks do: cuts, stalls, half-opens, slices, and black
holes."""
import asyncio
import random


class Proxy:
    """Between clients and a server on loopback; `trouble` is what it does to new connections."""

    TROUBLES = ("none", "cut", "stall", "half-open", "slice", "black-hole")

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.target, self.port, self.server = 0, 0, None
        self.open, self.met = set(), dict.fromkeys(self.TROUBLES, 0)

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    def stop(self):
        self.server.close()
        for writer in list(self.open):
            writer.transport.abort()

    async def serve(self, reader, writer):
        trouble = self.random.choice(self.TROUBLES)
        self.met[trouble] += 1
        self.open.add(writer)
        try:
            if trouble == "black-hole":  # taken, and never answered
                await reader.read()
                return
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.target)
            self.open.add(up_writer)
            try:
                up = self.carry(reader, up_writer, trouble, "up")
                down = self.carry(up_reader, writer, trouble, "down")
                await asyncio.wait([asyncio.ensure_future(up), asyncio.ensure_future(down)],
                                   return_when=asyncio.FIRST_COMPLETED)
            finally:
                self.open.discard(up_writer)
                up_writer.transport.abort()
        except OSError:
            pass
        finally:
            self.open.discard(writer)
            writer.transport.abort()

    async def carry(self, reader, writer, trouble, way):
        left = self.random.randrange(200, 60_000)  # bytes until the trouble comes
        try:
            while data := await reader.read(1 if trouble == "slice" and left > 0 else 4_096):
                if left <= 0 and trouble == "half-open" and way == "down":
                    continue  # what goes up arrives, nothing comes back
                if left <= 0 and trouble == "stall":
                    await asyncio.sleep(0.5)
                    left = self.random.randrange(200, 60_000)
                if trouble == "cut" and left < len(data):
                    writer.write(data[: max(0, left)])  # in the middle of a frame
                    return
                writer.write(data)
                await writer.drain()
                left -= len(data)
        except (OSError, ConnectionError):
            pass
