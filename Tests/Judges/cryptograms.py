"""Cryptograms by pyemv: one JSON object a line in, one a line out. Octets are hex digits."""

import json
import sys

from pyemv import ac, cvn, kd, sm

SCHEMES = {
    "visa10": cvn.VisaCVN10,
    "visa18": cvn.VisaCVN18,
    "visa22": cvn.VisaCVN22,
    "mChip16": cvn.MasterCardCVN16,
    "mChip17": cvn.MasterCardCVN17,
    "mChip20": cvn.MasterCardCVN20,
    "mChip21": cvn.MasterCardCVN21,
}
TAGS = ("9f02", "9f03", "9f1a", "95", "5f2a", "9a", "9c", "9f37", "82", "9f36")


def steps(case, octets):
    """Each step by itself, for both ways of deriving the card key and every way of deriving the session key."""
    cards = {
        "a": kd.derive_icc_mk_a(octets("imk"), case["pan"], case["psn"]),
        "b": kd.derive_icc_mk_b(octets("imk"), case["pan"], case["psn"]),
    }
    result = {"card key " + option: key for option, key in cards.items()}
    card = cards[case["option"]]
    counter, number, sent = octets("9f36"), octets("9f37"), octets("sent")
    keys = {
        "none": card,
        "commonSessionKey": kd.derive_common_sk(card, counter + bytes(6)),
        "mChip": kd.derive_common_sk(card, counter + bytes(2) + number),
    }
    for name, key in keys.items():
        result["session key " + name] = key
        result["cryptogram 1 " + name] = ac.generate_ac(key, octets("message"), ac.PaddingType.VISA)
        result["cryptogram 2 " + name] = ac.generate_ac(key, octets("message"), ac.PaddingType.EMV)
        result["arpc 1 " + name] = ac.generate_arpc_1(key, sent, octets("arc"))
        result["arpc 2 " + name] = ac.generate_arpc_2(key, sent, octets("csu"), octets("proprietary"))
    scripts = {"visa": kd.derive_visa_sm_sk(card, counter), "common": kd.derive_common_sk(card, sent)}
    for name, key in scripts.items():
        command = octets("header") + counter + sent + octets("command")
        result["script key " + name] = key
        result["script MAC " + name] = sm.generate_command_mac(key, command)
        for method, kind in (
            ("visa", sm.EncryptionType.VISA),
            ("mChip", sm.EncryptionType.MASTERCARD),
            ("commonCore", sm.EncryptionType.EMV),
        ):
            result["script data " + method + " " + name] = sm.encrypt_command_data(key, octets("command"), kind)
    return result


def scheme(case, octets):
    """The same by pyemv's class for the scheme, which puts the covered data together itself."""
    judge = SCHEMES[case["scheme"]](octets("imk"), octets("imk"), octets("imk"), case["pan"], case["psn"])
    values = {"tag_" + tag: octets(tag) for tag in TAGS}
    sent, counter = octets("sent"), octets("9f36")
    if case["scheme"] in ("visa18", "visa22"):
        values["tag_9f10"] = octets("9f10")
        arpc = judge.generate_arpc(sent, counter, octets("csu"), octets("proprietary"))
    else:
        values["cvr"] = octets("cvr")
        if case["scheme"] in ("mChip17", "mChip21"):
            values["counters"] = octets("counters")
        with_counter = case["scheme"] in ("mChip20", "mChip21")
        arpc = judge.generate_arpc(*((sent, counter) if with_counter else (sent,)), octets("arc"))
    encryption = counter if case["scheme"] in ("visa10", "visa18") else sent
    return {
        "scheme cryptogram": judge.generate_ac(**values),
        "scheme arpc": arpc,
        "scheme script MAC": judge.generate_command_mac(octets("header"), sent, counter, octets("command")),
        "scheme script data": judge.encrypt_command_data(octets("command"), encryption),
    }


for line in sys.stdin:
    case = json.loads(line)

    def octets(name, case=case):
        return bytes.fromhex(case[name])

    results = steps(case, octets)
    if case["scheme"] in SCHEMES:
        results.update(scheme(case, octets))
    print(json.dumps({name: value.hex().upper() for name, value in results.items()}))
