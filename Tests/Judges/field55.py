"""Field 55 of ISO 8583 by pyiso8583, its content by pyemv: one JSON object a line in, one a line out.

In: "octets", the chip data. Out: its objects, and for each container the field as it is packed into a message and as it
is unpacked again.
"""

import copy
import json
import sys

import iso8583
from iso8583.specs import default, default_ascii
from pyemv import tlv


def specification(**field):
    changed = copy.deepcopy(default)
    changed["55"].update(field)
    return changed


CONTAINERS = {
    "ASCII LLL, binary": default,
    "ASCII LLL, hex": default_ascii,
    "EBCDIC LLL, binary": specification(len_enc="cp500"),
    "BCD LLL, binary": specification(len_enc="bcd", len_type=2),
    "one byte, binary": specification(len_enc="b", len_type=1),
}

for line in sys.stdin:
    octets = json.loads(line)["octets"]
    answer = {"objects": [[tag, value.hex().upper()] for tag, value in tlv.decode(bytes.fromhex(octets)).items()]}
    for name, spec in CONTAINERS.items():
        message, encoded = iso8583.encode({"t": "0200", "55": octets}, spec)
        packed = encoded["55"]["len"] + encoded["55"]["data"]
        assert bytes(message).endswith(packed)
        unpacked, _ = iso8583.decode(message, spec)
        answer[name] = [packed.hex().upper(), unpacked["55"].upper()]
    print(json.dumps(answer))
