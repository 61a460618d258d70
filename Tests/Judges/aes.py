"""EMV's AES: option C keys, cryptograms, answers and scripts, written from Book 2, Annex A1, over the bare block cipher of
the package cryptography. CMAC and CBC are spelled out here (SP 800-38B, SP 800-38A), so that nothing of it is shared with
the code that is judged. One JSON object a line in, one a line out. Octets are hex digits."""

import json
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

BLOCK = 16


def alg(key, block):
    """ALG(key)[block]."""
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    return encryptor.update(block) + encryptor.finalize()


def xor(left, right):
    return bytes(a ^ b for a, b in zip(left, right, strict=True))


def double(block):
    number = int.from_bytes(block, "big") << 1
    if number >> 128:
        number = (number & ((1 << 128) - 1)) ^ 0x87
    return number.to_bytes(BLOCK, "big")


def cmac(key, message):
    subkey = double(alg(key, bytes(BLOCK)))
    blocks = [message[i : i + BLOCK] for i in range(0, len(message), BLOCK)] or [b""]
    if len(blocks[-1]) < BLOCK:
        subkey = double(subkey)
        blocks[-1] = (blocks[-1] + b"\x80").ljust(BLOCK, b"\0")
    blocks[-1] = xor(blocks[-1], subkey)
    chain = bytes(BLOCK)
    for block in blocks:
        chain = alg(key, xor(chain, block))
    return chain


def card_key(imk, pan, psn):
    """A1.4.3."""
    y = bytes.fromhex((pan + (psn or "00")).rjust(32, "0"))
    if len(imk) == BLOCK:
        return alg(imk, y)
    return (alg(imk, y) + alg(imk, xor(y, b"\xff" * BLOCK)))[: len(imk)]


def session_key(mk, r):
    """A1.3.1."""
    if len(mk) == BLOCK:
        return alg(mk, r)
    return (alg(mk, r[:2] + b"\xf0" + r[3:]) + alg(mk, r[:2] + b"\x0f" + r[3:]))[: len(mk)]


def encrypted(key, data):
    """A1.1: padded as in ISO/IEC 7816-4, CBC with zeros first."""
    data += b"\x80"
    data += bytes(-len(data) % BLOCK)
    chain, result = bytes(BLOCK), b""
    for i in range(0, len(data), BLOCK):
        chain = alg(key, xor(chain, data[i : i + BLOCK]))
        result += chain
    return result


COVERED = ("9f02", "9f03", "9f1a", "95", "5f2a", "9a", "9c", "9f37", "82", "9f36", "9f10")

# RFC 4493, 4 and SP 800-38B, D: the judge is judged first.
KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
TEXT = bytes.fromhex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411")
assert cmac(KEY, b"").hex() == "bb1d6929e95937287fa37d129b756746"
assert cmac(KEY, TEXT[:16]).hex() == "070a16b46b4d4144f79bdd9dd04a287c"
assert cmac(KEY, TEXT).hex() == "dfa66747de9ae63030ca32611497c827"

if __name__ == "__main__":
    for line in sys.stdin:
        case = json.loads(line)
        octets = {name: bytes.fromhex(value) for name, value in case.items() if name not in ("pan", "psn")}
        master = card_key(octets["imk"], case["pan"], case["psn"])
        session = session_key(master, octets["9f36"].ljust(BLOCK, b"\0"))
        script = session_key(master, octets["sent"].ljust(BLOCK, b"\0"))
        command = octets["header"] + octets["9f36"] + octets["sent"] + octets["command"]
        results = {
            "card key": master,
            "session key": session,
            "cryptogram": cmac(session, b"".join(octets[tag] for tag in COVERED))[:8],
            "arpc": cmac(session, octets["sent"] + octets["csu"] + octets["proprietary"])[:4],
            "script key": script,
            "script MAC": cmac(script, command)[:8],
            "script data": encrypted(script, octets["command"]),
        }
        print(json.dumps({name: value.hex().upper() for name, value in results.items()}))
