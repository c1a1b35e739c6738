"""Pictures no honest program would save, made byte by byte."""

from __future__ import annotations

import io
import struct
import zlib

from PIL import Image


def encode(picture: Image.Image, kind: str, **options: object) -> bytes:
    """A picture as the bytes of a file."""
    sink = io.BytesIO()
    picture.save(sink, kind, **options)
    return sink.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    """One chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def make_png(
    width: int, height: int, bits: int = 8, color: int = 0, rows: bytes | None = None, extra: bytes = b""
) -> bytes:
    """A PNG of zeros; `extra` are chunks before the pixels."""
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    line = (width * bits * samples + 7) // 8 + 1
    packer = zlib.compressobj(9)
    body = packer.compress(rows) if rows is not None else b"".join(packer.compress(bytes(line)) for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, bits, color, 0, 0, 0)
    palette = chunk(b"PLTE", bytes(768)) if color == 3 else b""
    parts = (chunk(b"IHDR", header), palette, extra, chunk(b"IDAT", body + packer.flush()), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def make_text_bomb() -> bytes:
    """A small PNG with a comment that unpacks to 64 MB."""
    return make_png(8, 8, extra=chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(64 << 20), 9)))


def make_profile_bomb() -> bytes:
    """A small PNG with a colour profile that unpacks to 64 MB."""
    return make_png(8, 8, extra=chunk(b"iCCP", b"icc\0\0" + zlib.compress(bytes(64 << 20), 9)))


def make_scan_bomb(side: int = 5000, scans: int = 1200) -> bytes:
    """A progressive JPEG of 25 million pixels that refines the same coefficients a thousand times."""
    plain = encode(Image.new("L", (8, 8), 128), "JPEG", progressive=True)
    start = plain.index(b"\xff\xc2")
    sized = plain[: start + 5] + struct.pack(">HH", side, side) + plain[start + 9 :]
    first = sized.index(b"\xff\xda")
    tables = sized[:first]
    # a scan of one component, AC coefficients 1 to 63: the band ends at once, for 32767 blocks at a time
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x00" + b"\x00" * 40
    return tables + sized[first:-2] + scan * scans + b"\xff\xd9"
