"""The rule of request and reply URLs, written again from its text: one JSON object a line in, one a line out.

In: "url", a URL to take apart, and "values", texts to be encoded. Out: the pairs of the URL in order (the value is null for
a piece without an equals sign), null for a URL with a broken escape or bytes that are not UTF-8, and the encoded texts.
"""

import json
import re
import sys
from urllib.parse import quote, unquote_to_bytes


def decoded(text):
    if re.search("%(?![0-9A-Fa-f]{2})", text):
        raise ValueError("broken escape")
    return unquote_to_bytes(text).decode("utf-8")


def pairs(url):
    scheme, rest = re.fullmatch("([A-Za-z][A-Za-z0-9+.-]*)://(.*)", url, re.DOTALL).groups()
    if scheme.lower() in ("http", "https"):
        rest = rest.partition("?")[2]
    elif rest.startswith("?"):
        rest = rest[1:]
    found = []
    for piece in rest.split("&"):
        if piece == "":
            continue
        key, equals, value = piece.partition("=")
        found.append([decoded(key), decoded(value) if equals else None])
    return found


for line in sys.stdin:
    case = json.loads(line)
    try:
        answer = {"pairs": pairs(case["url"])}
    except ValueError:
        answer = {"pairs": None}
    answer["encoded"] = [quote(value, safe="-._~") for value in case["values"]]
    print(json.dumps(answer))
