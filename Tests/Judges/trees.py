"""BER-TLV by pyemv and by ber-tlv: one JSON object a line in, one a line out.

In: "octets", and "tree", which is a list of [tag, value]; the value is hex digits, or a list when the tag is constructed.
Out: what each package makes of the octets, and the octets that it makes of the tree. pyemv keeps objects in a
dictionary, so it judges only trees that have no tag twice side by side ("distinct").
"""

import json
import sys

from ber_tlv.tlv import Tag, Tlv
from pyemv import tlv


def pyemv_tree(objects):
    return [[tag, pyemv_tree(value) if isinstance(value, dict) else value.hex().upper()] for tag, value in objects.items()]


def pyemv_objects(tree):
    return {tag: pyemv_objects(value) if isinstance(value, list) else value for tag, value in tree}


def text(tag):
    digits = "%X" % tag
    return digits if len(digits) % 2 == 0 else "0" + digits


def ber_tree(objects):
    tree = []
    for tag, value in objects:
        # It leaves what is shorter than three bytes unread.
        if Tag.isConstructed(tag) and isinstance(value, bytes):
            value = Tlv.parse(value)
        tree.append([text(tag), ber_tree(value) if isinstance(value, list) else value.hex().upper()])
    return tree


def ber_objects(tree):
    return [
        (int(tag, 16), ber_objects(value) if isinstance(value, list) else bytes.fromhex(value)) for tag, value in tree
    ]


for line in sys.stdin:
    case = json.loads(line)
    octets = bytes.fromhex(case["octets"])
    answer = {"ber-tlv tree": ber_tree(Tlv.parse(octets))}
    if "tree" in case:
        answer["ber-tlv octets"] = Tlv.build(ber_objects(case["tree"])).hex().upper()
    if case["distinct"]:
        answer["pyemv tree"] = pyemv_tree(tlv.decode(octets))
        if "tree" in case:
            answer["pyemv octets"] = tlv.encode(pyemv_objects(case["tree"])).hex().upper()
    print(json.dumps(answer))
