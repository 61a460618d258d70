"""ISO 8583 messages by pyiso8583: one JSON object a line in, one a line out.

In: "profile", "type", "fields" (text, or hex digits of a binary field), and "encoded", our bytes in hex. Out: "encoded",
its bytes of the same fields, and "decoded", the fields that it reads in ours.
"""

import copy
import json
import sys

import iso8583
from iso8583.specs import default, default_ascii

BINARY = {"52", "55", "64", "96", "128"}
TRACKS = {"35", "36"}
NUMBERS = (
    {str(n) for n in range(2, 28)} | {"32", "33", "49", "50", "51", "53", "66", "67", "68", "69", "70", "71", "72", "73"}
    | {str(n) for n in range(74, 91)} | {"99", "100"}
)


def fields(spec):
    return [(key, spec[key]) for key in spec if key.isdigit() and int(key) > 1]


def binary():
    spec = copy.deepcopy(default)
    for key, field in fields(spec):
        if field["len_type"] > 0:
            field["len_enc"] = "b"
            field["len_type"] = 1 if field["len_type"] == 2 else 2
    return spec


def bcd():
    spec = copy.deepcopy(default)
    spec["t"]["data_enc"] = "b"
    for key, field in fields(spec):
        if field["len_type"] > 0:
            field["len_enc"] = "bcd"
            field["len_type"] = (field["len_type"] + 1) // 2
        if key in NUMBERS or key in TRACKS:
            field.update(data_enc="b", len_count="nibbles", left_pad="0")
    return spec


def ebcdic():
    spec = copy.deepcopy(default)
    spec["t"]["data_enc"] = "cp500"
    for key, field in fields(spec):
        field["len_enc"] = "cp500"
        if key not in BINARY:
            field["data_enc"] = "cp500"
    return spec


PROFILES = {"ascii": default_ascii, "binary": binary(), "bcd": bcd(), "ebcdic": ebcdic()}
for spec in PROFILES.values():
    # The standard has a third track of 104 characters.
    spec["36"]["max_len"] = 104


def swapped(fields, profile, old, new):
    """The separator of a track is = in characters and D in digits."""
    if profile != "bcd":
        return fields
    return {key: value.replace(old, new) if key in TRACKS else value for key, value in fields.items()}


for line in sys.stdin:
    case = json.loads(line)
    profile = case["profile"]
    spec = PROFILES[profile]
    message = {"t": case["type"], **swapped(case["fields"], profile, "=", "D")}
    encoded, _ = iso8583.encode(message, spec)
    decoded, _ = iso8583.decode(bytes.fromhex(case["encoded"]), spec)
    kind = decoded.pop("t")
    for bitmap in ("p", "1", "h"):
        decoded.pop(bitmap, None)
    decoded = {key: value.upper() if key in BINARY else value for key, value in decoded.items()}
    print(json.dumps({"encoded": encoded.hex().upper(), "type": kind, "decoded": swapped(decoded, profile, "D", "=")}))
