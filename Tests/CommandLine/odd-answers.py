"""Serves odd answers to HTTP requests: over http, over https with the bytes unchanged, and over HTTP/2 behind nginx.

usage: odd-answers.py [FOLDER]

An answer is a sequence of bytes that the server sends to any request for its path. The server then closes or resets
the connection. https requires an existing folder for the certificate and for nginx, and the programs openssl, nginx
and setpriv. The first line of the output is a JSON object with the ports and the answers.
"""

import contextlib, fcntl, gzip, json, os, signal, socket, ssl, struct, subprocess, sys, termios, threading, time, zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def picture(side):
    """A PNG of pseudo-random gray pixels, which do not compress."""
    state, rows = 1, bytearray()
    for _ in range(side):
        rows.append(0)
        for _ in range(side):
            state = state * 1103515245 + 12345 & 0x7FFFFFFF
            rows.append(state >> 16 & 0xFF)
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows))) + chunk(b"IEND", b"")
    )


SMALL, LARGE = picture(8), picture(300)
rows = {}


def row(name, data, end="close"):
    assert name not in rows, name
    rows[name] = (data, end)


def head(*fields, status="200 OK", version="HTTP/1.1"):
    return "".join(f"{line}\r\n" for line in (f"{version} {status}", *fields, "")).encode("latin-1")


def sized(body, *fields, **line):
    return head(*fields, f"Content-Length: {len(body)}", **line) + body


def chunked(body, size=1000):
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)


LAST = b"0\r\n\r\n"
CHUNKED = "Transfer-Encoding: chunked"

# The content codings and transfer codings of a body.
for coding in [
    "identity", "identity, identity", "IDENTITY", "identity,", ", identity", "", "utf-8", "UTF-8", "aws-chunked",
    "aws-chunked, identity", "binary", "none", "8bit", "7bit", "base64", "image/png", "identity;q=1", "*",
    "x-identity", "unknown", "compress", "null", "utf-8, identity",
]:
    row(f"coding {coding or 'empty'}", sized(SMALL, f"Content-Encoding: {coding}"))
for coding in ["gzip", "x-gzip", "deflate", "br", "zstd", "GZIP"]:
    row(f"plain as {coding}", sized(SMALL, f"Content-Encoding: {coding}"))
row("coding identity twice", sized(SMALL, "Content-Encoding: identity", "Content-Encoding: identity"))
row("coding utf-8, large", sized(LARGE, "Content-Encoding: utf-8"))
row("coding utf-8, chunked", head("Content-Encoding: utf-8", CHUNKED) + chunked(SMALL) + LAST)
row("coding utf-8, no length", head("Content-Encoding: utf-8") + SMALL)
row("coding utf-8, cut", sized(SMALL, "Content-Encoding: utf-8")[:-9])
row("coding utf-8, a page", sized(b"<html>no</html>", "Content-Encoding: utf-8"))
row("coding utf-8, status 404", sized(SMALL, "Content-Encoding: utf-8", status="404 No"))
row("coding utf-8, status 503", sized(SMALL, "Content-Encoding: utf-8", status="503 No"))
row("coding utf-8, empty", sized(b"", "Content-Encoding: utf-8"))
for name, body in [("small", SMALL), ("large", LARGE)]:
    packed = gzip.compress(body, 6, mtime=0)
    row(f"gzip, {name}", sized(packed, "Content-Encoding: gzip"))
    row(f"gzip, {name}, chunked", head("Content-Encoding: gzip", CHUNKED) + chunked(packed) + LAST)
    row(f"gzip, {name}, trailing byte", sized(packed + b"x", "Content-Encoding: gzip"))
    row(f"gzip, {name}, trailing zeros", sized(packed + bytes(40_000), "Content-Encoding: gzip"))
    row(f"gzip, {name}, trailing, chunked", head("Content-Encoding: gzip", CHUNKED) + chunked(packed) + chunked(b"x" * 9) + LAST)
    row(f"gzip, {name}, wrong sum", sized(packed[:-8] + bytes(4) + packed[-4:], "Content-Encoding: gzip"))
    row(f"gzip, {name}, no trailer", sized(packed[:-8], "Content-Encoding: gzip"))
    row(f"gzip, {name}, cut", sized(packed, "Content-Encoding: gzip")[:-30])
    row(f"gzip, {name}, two members", sized(gzip.compress(body[:60]) + gzip.compress(body[60:]), "Content-Encoding: gzip"))
    row(f"deflate, {name}", sized(zlib.compress(body), "Content-Encoding: deflate"))
    row(f"raw deflate, {name}", sized(zlib.compress(body)[2:-4], "Content-Encoding: deflate"))
PACKED = gzip.compress(SMALL, 6, mtime=0)
row("gzip in capitals", sized(PACKED, "Content-Encoding: GZIP"))
row("gzip as x-gzip", sized(PACKED, "Content-Encoding: x-gzip"))
row("gzip twice", sized(gzip.compress(PACKED), "Content-Encoding: gzip, gzip"))
row("gzip once, named twice", sized(PACKED, "Content-Encoding: gzip, gzip"))
row("identity and gzip in two fields", sized(PACKED, "Content-Encoding: identity", "Content-Encoding: gzip"))
row("gzip and identity in two fields", sized(PACKED, "Content-Encoding: gzip", "Content-Encoding: identity"))
row("identity, gzip", sized(PACKED, "Content-Encoding: identity, gzip"))
row("gzip, unnamed", sized(PACKED))
row("gzip as identity", sized(PACKED, "Content-Encoding: identity"))
row("aws-chunked, gzip", sized(PACKED, "Content-Encoding: aws-chunked, gzip"))
row("gzip as transfer coding", head("Transfer-Encoding: gzip, chunked") + chunked(PACKED) + LAST)

# The framing of a body.
N = len(SMALL)
row("no length", head() + SMALL)
row("no length, then a reset", head() + SMALL, "reset")
row("no length, trailing bytes", head() + SMALL + b"\r\n\r\n")
row("HTTP/1.0, no length", head(version="HTTP/1.0") + SMALL)
row("length one too large", head(f"Content-Length: {N + 1}") + SMALL)
row("length far too large", head("Content-Length: 100000") + SMALL)
row("length far too large, large", head("Content-Length: 1000000") + LARGE)
row("length far too large, reset", head("Content-Length: 100000") + SMALL, "reset")
row("length one too small", head(f"Content-Length: {N - 1}") + SMALL)
row("length zero", head("Content-Length: 0") + SMALL)
row("bytes after the length", head(f"Content-Length: {N}") + SMALL + b"x" * 50)
row("another response after the length", sized(SMALL) + sized(b"<html>"))
for name, value in [
    ("with a plus", f"+{N}"), ("with zeros", f"000{N}"), ("negative", "-1"), ("empty", ""), ("hexadecimal", f"{N:#x}"),
    ("a list", f"{N}, {N}"), ("a list of two", f"{N}, 7"), ("with a blank", f"  {N}  "), ("a fraction", f"{N}.0"),
    ("with a unit", f"{N} bytes"), ("a word", "many"), ("beyond 64 bits", "99999999999999999999"),
]:
    row(f"length {name}", head(f"Content-Length: {value}") + SMALL)
row("length twice", head(f"Content-Length: {N}", f"Content-Length: {N}") + SMALL)
row("length twice, different", head(f"Content-Length: {N}", "Content-Length: 7") + SMALL)
row("length twice, smaller first", head("Content-Length: 7", f"Content-Length: {N}") + SMALL)
row("chunked", head(CHUNKED) + chunked(SMALL, 7) + LAST)
row("chunked, and a length", head(CHUNKED, f"Content-Length: {N}") + chunked(SMALL) + LAST)
row("chunked, and a wrong length", head("Content-Length: 5", CHUNKED) + chunked(SMALL) + LAST)
row("chunked in capitals", head("Transfer-Encoding: CHUNKED") + chunked(SMALL) + LAST)
row("chunked twice", head(CHUNKED, CHUNKED) + chunked(SMALL) + LAST)
row("chunked, HTTP/1.0", head(CHUNKED, version="HTTP/1.0") + chunked(SMALL) + LAST)
row("chunk extension", head(CHUNKED) + b"%x;a=b\r\n%s\r\n" % (N, SMALL) + LAST)
row("chunk size with zeros", head(CHUNKED) + b"0000%X\r\n%s\r\n" % (N, SMALL) + LAST)
row("chunk size with many zeros", head(CHUNKED) + b"%030x\r\n%s\r\n" % (N, SMALL) + LAST)
row("chunk size with a blank", head(CHUNKED) + b"%x  \r\n%s\r\n" % (N, SMALL) + LAST)
row("chunk size after a blank", head(CHUNKED) + b" %x\r\n%s\r\n" % (N, SMALL) + LAST)
row("chunk size as 0x", head(CHUNKED) + b"0x%x\r\n%s\r\n" % (N, SMALL) + LAST)
row("chunk size negative", head(CHUNKED) + b"-%x\r\n%s\r\n" % (N, SMALL) + LAST)
row("chunk size huge", head(CHUNKED) + chunked(SMALL) + b"fffffffffffffffff\r\n")
row("chunk lines end in LF", head(CHUNKED) + b"%x\n%s\n0\n\n" % (N, SMALL))
row("chunk without its line end", head(CHUNKED) + b"%x\r\n%s" % (N, SMALL) + LAST)
row("no last chunk", head(CHUNKED) + chunked(SMALL))
row("no last chunk, reset", head(CHUNKED) + chunked(SMALL), "reset")
row("no last line end", head(CHUNKED) + chunked(SMALL) + b"0\r\n")
row("last chunk cut", head(CHUNKED) + chunked(SMALL) + b"0")
row("bytes after the last chunk", head(CHUNKED) + chunked(SMALL) + LAST + b"xyz")
row("chunk cut in the picture", head(CHUNKED) + chunked(SMALL, 30)[:60])
row("broken chunk in the picture", head(CHUNKED) + chunked(SMALL[:40]) + b"zz\r\n" + SMALL[40:])
row("transfer coding identity", head("Transfer-Encoding: identity", f"Content-Length: {N}") + SMALL)
row("transfer coding identity, no length", head("Transfer-Encoding: identity") + SMALL)
row("transfer coding unknown", head("Transfer-Encoding: xchunked", f"Content-Length: {N}") + SMALL)
row("transfer coding empty", head("Transfer-Encoding:", f"Content-Length: {N}") + SMALL)
row("reset after the body", sized(SMALL), "reset")
row("reset after a large body", sized(LARGE), "reset")
row("reset within the picture", sized(LARGE)[:-2000], "reset")
row("cut within the picture", sized(SMALL)[:-9])
row("cut before the body", head(f"Content-Length: {N}"))
row("empty body", sized(b""))
row("no body, no length", head())
row("trailing bytes after the picture", sized(SMALL + b"\r\n"))
row("line feed before the picture", sized(b"\n" + SMALL))
row("a page", sized(b"<html>no</html>"))
row("half a picture", sized(SMALL[:50]))

# Heads.
row("lines end in LF", b"HTTP/1.1 200 OK\nContent-Length: %d\n\n" % N + SMALL)
row("one line ends in LF", b"HTTP/1.1 200 OK\nContent-Length: %d\r\n\r\n" % N + SMALL)
row("folded field", sized(SMALL, "X-A: one\r\n two"))
row("folded first field", b"HTTP/1.1 200 OK\r\n X: y\r\nContent-Length: %d\r\n\r\n" % N + SMALL)
row("blank before a colon", b"HTTP/1.1 200 OK\r\nX-A : b\r\nContent-Length: %d\r\n\r\n" % N + SMALL)
row("blank before the length's colon", b"HTTP/1.1 200 OK\r\nContent-Length : %d\r\n\r\n" % N + SMALL)
row("field without a name", sized(SMALL, ": b"))
row("field without a colon", sized(SMALL, "nonsense"))
row("field without a value", sized(SMALL, "X-A:"))
row("field name with a blank", sized(SMALL, "X A: b"))
row("field name not ASCII", sized(SMALL, "X-\xe9: b"))
row("field value UTF-8", sized(SMALL, "X-A: \xc3\xa9"))
row("field value Latin-1", sized(SMALL, "X-A: \xe9"))
row("NUL in a field", sized(SMALL, "X-A: a\0b"))
row("control character in a field", sized(SMALL, "X-A: a\x01b"))
row("CR in a field", sized(SMALL, "X-A: a\rb"))
row("100 fields", sized(SMALL, *(f"X-{n}: {'v' * 50}" for n in range(100))))
row("900 fields", sized(SMALL, *(f"X-{n}: {'v' * 50}" for n in range(900))))
row("2,000 fields", sized(SMALL, *(f"X-{n}: {'v' * 50}" for n in range(2000))))
row("field of 50 KiB", sized(SMALL, f"X-A: {'v' * 51200}"))
row("field of 90 KiB", sized(SMALL, f"X-A: {'v' * 92160}"))
row("no reason", sized(SMALL, status="200"))
row("no reason but a blank", sized(SMALL, status="200 "))
row("long reason", sized(SMALL, status="200 " + "very " * 2000))
row("reason not ASCII", sized(SMALL, status="200 \xe9"))
row("tab after the status", sized(SMALL, status="200\tOK"))
row("two blanks before the status", sized(SMALL, status=" 200 OK"))
row("HTTP/1.2", sized(SMALL, version="HTTP/1.2"))
row("HTTP/1.0", sized(SMALL, version="HTTP/1.0"))
row("HTTP/1.0, keep-alive", sized(SMALL, "Connection: keep-alive", version="HTTP/1.0"))
row("HTTP/0.9", SMALL)
row("HTTP/3.0", sized(SMALL, version="HTTP/3.0"))
row("HTTP/1.10", sized(SMALL, version="HTTP/1.10"))
row("http in small letters", sized(SMALL, version="http/1.1"))
row("ICY", sized(SMALL, version="ICY"))
row("an empty line first", b"\r\n" + sized(SMALL))
row("no head", b"\r\n\r\n" + SMALL)
row("Connection: close", sized(SMALL, "Connection: close"))
row("Connection: nonsense", sized(SMALL, "Connection: ,,;"))
for status in ["100 Continue", "102 Processing", "103 Early Hints", "199 Odd"]:
    row(f"{status[:3]} first", head(status=status) + sized(SMALL))
row("three interim heads", head(status="100 Continue") + head("Link: </a>", status="103 Hints") * 2 + sized(SMALL))
for first in [100, 103]:
    row(f"{first}, then status 404", head(status=f"{first} Odd") + sized(SMALL, status="404 Not Found"))
row("100 and nothing else", head(status="100 Continue"))
row("101", sized(SMALL, "Upgrade: x", "Connection: upgrade", status="101 Switching"))

# Statuses, each with the picture.
for status in [
    201, 202, 203, 206, 207, 208, 226, 250, 299, 300, 304, 305, 306, 310, 350, 399, 400, 402, 403, 404, 405, 406, 407,
    408, 409, 410, 416, 418, 425, 429, 431, 451, 499, 500, 501, 502, 504, 505, 511, 599, 600, 700, 999,
]:
    row(f"status {status}", sized(SMALL, status=f"{status} Odd"))
row("status 204 with a body", sized(SMALL, status="204 No Content"))
row("status 205 with a body", sized(SMALL, status="205 Reset"))
row("status 206 with a range", sized(SMALL, f"Content-Range: bytes 0-{N - 1}/{N}", status="206 Partial"))
row("status 206 of half", sized(SMALL[:50], f"Content-Range: bytes 0-49/{N}", status="206 Partial"))
row("status 200 with a range", sized(SMALL, f"Content-Range: bytes 0-{N - 1}/{N}"))
for status in ["000", "001", "099", "20", "2000", "-200", "2OO", "0200", "1.5"]:
    row(f"status line {status}", sized(SMALL, status=f"{status} Odd"))
row("401 without a challenge", sized(SMALL, status="401 No"))
row("407 with a challenge", sized(SMALL, 'Proxy-Authenticate: Basic realm="x"', status="407 No"))
row("429 with Retry-After", sized(SMALL, "Retry-After: 1", status="429 Slow"))
row("503 without a body", sized(b"", status="503 No"))

# Redirects. The target is a picture of this server.
row("target", sized(SMALL))
for status in [201, 300, 301, 302, 303, 304, 305, 306, 307, 308, 310, 399]:
    row(f"{status} to the target", sized(b"", "Location: /target", status=f"{status} Odd"))
for name, location in [
    ("relative", "target"), ("with a fragment", "/target#part"), ("with a query", "/target?a=b"), ("in dots", "/a/../target"),
    ("empty", ""), ("only a query", "?"), ("only a fragment", "#part"), ("with a blank around it", "  /target  "),
    ("with a blank", "/tar get"), ("not ASCII", "/targ\xc3\xa9t"),
]:
    row(f"redirect {name}", sized(b"", f"Location: {location}", status="302 Found"))
row("redirect with a picture", sized(SMALL, "Location: /target", status="302 Found"))
row("redirect with a packed page", sized(PACKED, "Location: /target", "Content-Encoding: gzip", status="302 Found"))
row("redirect with an unknown coding", sized(SMALL, "Location: /target", "Content-Encoding: utf-8", status="302 Found"))
row("redirect with a cut page", head("Location: /target", "Content-Length: 500", status="302 Found") + b"<html>")
row("redirect with two locations", sized(b"", "Location: /target", "Location: /target", status="302 Found"))

# Fields that must not matter.
for field in [
    "Content-Type: text/html", "Content-Type:", "Content-Type: image/png, image/gif", "Content-Disposition: attachment",
    "Content-Language: xx", "Content-MD5: 0", "ETag: x", "Age: -5", "Date: never", "Expires: 0", "Last-Modified: no",
    "Set-Cookie: a=b", "Set-Cookie: ;;;", "Refresh: 0; url=/target", "Keep-Alive: timeout=0", "Trailer: X",
    "Upgrade: h2c", "Alt-Svc: h3=\":1\"", "Strict-Transport-Security: max-age=1", "Vary: *", "Warning: 299",
    "Accept-Ranges: none", "X-Content-Type-Options: nosniff", "Content-Transfer-Encoding: base64", "Location: /nowhere",
    "Proxy-Authenticate: Basic", "Connection: upgrade",
]:
    row(f"field {field.replace('/', '_')}", sized(SMALL, field))


# The answers after which curl and the strategies, or the strategies among themselves, end differently. The key is a row
# of the table of odd answers on the page Faults, which states the reason.
DIFFERENCES = {
    "an unknown or wrong encoding": [
        "coding utf-8", "coding UTF-8", "coding aws-chunked", "coding aws-chunked, identity", "coding binary",
        "coding 8bit", "coding 7bit", "coding base64", "coding image/png", "coding identity;q=1", "coding *",
        "coding x-identity", "coding unknown", "coding compress", "coding null", "coding utf-8, identity",
        "plain as gzip", "plain as x-gzip", "plain as deflate", "plain as br", "plain as zstd",
        "plain as GZIP", "coding utf-8, large", "coding utf-8, chunked", "coding utf-8, no length",
    ],
    "a bad status and an unknown encoding": [
        "coding utf-8, status 404", "coding utf-8, status 503",
    ],
    "a packed body": [
        "gzip, small", "gzip, small, chunked", "gzip, small, no trailer", "gzip, small, cut", "deflate, small",
        "raw deflate, small", "gzip, large", "gzip, large, chunked", "gzip, large, no trailer",
        "gzip, large, cut", "deflate, large", "raw deflate, large", "gzip in capitals", "gzip as x-gzip",
        "gzip twice", "identity and gzip in two fields", "gzip and identity in two fields", "identity, gzip",
        "gzip as transfer coding",
    ],
    "a packed body with trailing bytes or a wrong sum": [
        "gzip, small, trailing byte", "gzip, small, trailing zeros", "gzip, small, trailing, chunked",
        "gzip, small, wrong sum", "gzip, large, trailing byte", "gzip, large, trailing zeros",
        "gzip, large, trailing, chunked", "gzip, large, wrong sum",
    ],
    "a failure after a whole picture": [
        "no length, then a reset", "length one too large", "length far too large",
        "length far too large, large", "length far too large, reset", "chunk size huge",
        "chunk without its line end", "no last chunk", "no last chunk, reset", "no last line end",
        "last chunk cut",
    ],
    "a failure before the first byte of a body": [
        "cut before the body", "chunk size after a blank", "chunk size as 0x", "chunk size negative",
    ],
    "an ambiguous length or transfer coding": [
        "length with a plus", "length hexadecimal", "length a list", "length a list of two",
        "length a fraction", "length with a unit", "length beyond 64 bits", "length twice, different",
        "length twice, smaller first", "chunked twice", "chunk lines end in LF", "transfer coding identity",
        "transfer coding identity, no length", "transfer coding empty",
    ],
    "a chunk size of more than 16 digits": [
        "chunk size with many zeros",
    ],
    "a head that only curl accepts": [
        "lines end in LF", "one line ends in LF", "blank before a colon", "blank before the length's colon",
        "field without a name", "field name with a blank", "field name not ASCII", "tab after the status",
        "two blanks before the status",
    ],
    "a head that only Foundation and curl accept": [
        "folded field", "control character in a field", "CR in a field", 
        "http in small letters",
    ],
    "a head of more than 64 KiB": [
        "2,000 fields", "field of 90 KiB",
    ],
    "a head that Foundation rejects": [
        "field value Latin-1", "no reason", "reason not ASCII", "HTTP/1.2",
    ],
    "the status 101": [
        "101",
    ],
    "300, 304, 305, 306, 310, 350, 399, 401 or 407": [
        "status 300", "status 304", "status 305", "status 306", "status 310", "status 350", "status 399",
        "status 407", "401 without a challenge", "407 with a challenge", "redirect empty",
    ],
    "300, 304, 310 or 399 with a location": [
        "300 to the target", "304 to the target", "310 to the target", "399 to the target",
    ],
    "a redirect whose page is cut or cannot be decoded": [
        "redirect with a cut page", "redirect with an unknown coding",
    ],
    "a location with blanks around it, or twice": [
        "redirect with a blank around it", "redirect with two locations",
    ],
}

# The answers that nginx rejects, or whose head or framing it rewrites so that nothing odd remains.
NOT_OVER_HTTP2 = {
    "coding utf-8, cut", "gzip, small, cut", "gzip, large, cut", "gzip as transfer coding",
    "no length, then a reset", "length one too large", "length far too large", "length far too large, large",
    "length far too large, reset", "length negative", "length empty", "length hexadecimal", "length a word",
    "chunk size with many zeros", "chunk size after a blank", "chunk size as 0x", "chunk size negative",
    "chunk size huge", "chunk without its line end", "no last chunk", "no last chunk, reset",
    "no last line end", "last chunk cut", "chunk cut in the picture", "broken chunk in the picture",
    "transfer coding unknown", "reset within the picture", "cut within the picture", "cut before the body",
    "folded field", "folded first field", "blank before a colon", "blank before the length's colon",
    "field without a name", "field without a colon", "field name with a blank", "field name not ASCII",
    "NUL in a field", "control character in a field", "CR in a field", "2,000 fields", "field of 90 KiB",
    "tab after the status", "HTTP/1.2", "HTTP/0.9", "HTTP/3.0", "HTTP/1.10",
    "http in small letters", "ICY", "an empty line first", "no head", "100 first", "102 first", "103 first",
    "199 first", "three interim heads", "100 and nothing else", "101", "status line 000", "status line 001",
    "status line 099", "status line 20", "status line 2000", "status line -200", "status line 2OO",
    "status line 0200", "status line 1.5", "redirect with a cut page", "field Upgrade: h2c", "lines end in LF",
    "one line ends in LF", "no reason", "reason not ASCII", "two blanks before the status",
    "100, then status 404", "103, then status 404", "redirect with a blank around it",
}

# The answers that end differently over https: the page Faults states the reasons.
DIFFERENT_OVER_HTTPS = {
    "no length, then a reset", "length far too large, reset", "no last chunk, reset", "reset within the picture",
    "900 fields", "field of 50 KiB",
}


def serve(connection):
    request = b""
    while b"\r\n\r\n" not in request:
        piece = connection.recv(65536)
        if not piece:
            return
        request += piece
    name = names.get(request.split(b" ", 2)[1].decode("latin-1").split("?")[0])
    data, end = rows[name] if name else (sized(b"<html>", status="404 Not Found"), "close")
    connection.sendall(data)
    if end == "reset":
        # A reset drops the bytes that have not been acknowledged.
        while struct.unpack("i", fcntl.ioctl(connection, termios.TIOCOUTQ, bytes(4)))[0]:
            time.sleep(0.001)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return connection.close()
    if isinstance(connection, ssl.SSLSocket):
        # Announces the end, and does not wait for the client to do the same.
        connection.settimeout(0)
        with contextlib.suppress(OSError):
            connection.unwrap()
        connection = socket.socket(fileno=connection.detach())
    # The client closes first, so that what it still sends cannot fail.
    connection.shutdown(socket.SHUT_WR)
    connection.settimeout(5)
    while connection.recv(65536):
        pass
    connection.close()


def client(connection, context):
    try:
        connection.settimeout(30)
        if context:
            connection = context.wrap_socket(connection, server_side=True)
        serve(connection)
    except OSError:
        pass
    finally:
        connection.close()


def listen(context=None):
    server = socket.create_server(("127.0.0.1", 0), backlog=128)

    def accept():
        while True:
            threading.Thread(target=client, args=(server.accept()[0], context), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return server.getsockname()[1]


def start_nginx(folder, origin):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    temporary = " ".join(f"{n}_temp_path {folder}/{n};" for n in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    user = "user root root;" if os.geteuid() == 0 else ""
    settings = f"""
        {user} daemon off; master_process off; pid {folder}/pid; error_log {folder}/error; events {{ }}
        http {{
          access_log off; {temporary}
          server {{
            listen 127.0.0.1:{port} ssl http2;
            ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem;
            location / {{
              proxy_pass http://127.0.0.1:{origin}; proxy_http_version 1.1; proxy_redirect off;
              proxy_buffer_size 64k; proxy_buffers 4 64k; proxy_busy_buffers_size 64k;
            }}
          }}
        }}
    """
    with open(f"{folder}/conf", "w") as file:
        file.write(settings)
    # nginx must not outlive this process, even if this process is killed.
    words = ["setpriv", "--pdeathsig", "KILL", "nginx", "-p", folder, "-c", f"{folder}/conf"]
    path = os.environ["PATH"] + ":/usr/sbin"
    nginx = subprocess.Popen(words, env={**os.environ, "PATH": path}, stderr=subprocess.DEVNULL)
    while nginx.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return port
        except ConnectionRefusedError:
            time.sleep(0.01)
    sys.exit("nginx did not start")


names = {"/target" if name == "target" else f"/{number}": name for number, name in enumerate(rows)}
ports = {"http": listen()}
if len(sys.argv) > 1:
    folder = sys.argv[1]
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=odd".split()
    files = ["-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"]
    subjects = ["-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(["openssl", *words, *files, *subjects], check=True, stderr=subprocess.DEVNULL)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")
    ports |= {"https": listen(context), "http2": start_nginx(folder, ports["http"])}
reasons = {name: reason for reason, group in DIFFERENCES.items() for name in group}
assert not (reasons.keys() | NOT_OVER_HTTP2 | DIFFERENT_OVER_HTTPS) - rows.keys(), "an unknown name"
answers = [
    {
        "name": name, "path": path, "difference": reasons.get(name), "isOverHTTP2": name not in NOT_OVER_HTTP2,
        "differsOverHTTPS": name in DIFFERENT_OVER_HTTPS,
    }
    for path, name in names.items()
]
print(json.dumps({"ports": ports, "answers": answers}), flush=True)
signal.pause()
