"""EMV certificates and signatures with message recovery (Book 2, 5 to 7 and annex A2.1)."""

import hashlib


def sha1(data):
    return hashlib.sha1(data).digest()


def signed(signer, message, others, header=0x6A, trailer=0xBC, spoil_hash=False):
    """6A, message, hash, BC under the signer's private key. The hash covers message and others."""
    digest = bytearray(sha1(message + others))
    if spoil_hash:
        digest[0] ^= 1
    return signer.sign(bytes([header]) + message + bytes(digest) + bytes([trailer]))


def split_key(key, room):
    """The part of the modulus that fits, filled up with BB, and the remainder."""
    return key.modulus[:room].ljust(room, b"\xbb"), key.modulus[room:]


def issuer_certificate(authority, key, identifier, expiry="1249", serial="000001", **change):
    """Tags 90 and 92. `identifier` and the dates are hexadecimal text."""
    field, remainder = split_key(key, authority.size - 36)
    message = b"".join(
        [
            bytes([change.get("format", 2)]),
            bytes.fromhex(identifier),
            bytes.fromhex(expiry),
            bytes.fromhex(serial),
            bytes([change.get("hash_algorithm", 1), change.get("key_algorithm", 1)]),
            bytes([change.get("length", key.size), len(key.exponent)]),
            change.get("field", field),
        ]
    )
    remainder = change.get("remainder", remainder)
    exponent = change.get("exponent", key.exponent)
    form = {name: change[name] for name in ("header", "trailer", "spoil_hash") if name in change}
    return signed(authority, message, remainder + exponent, **form), remainder


def icc_certificate(issuer, key, pan, static_data, expiry="1249", serial="000002", **change):
    """Tags 9F46 and 9F48; without static data tags 9F2D and 9F2F."""
    field, remainder = split_key(key, issuer.size - 42)
    message = b"".join(
        [
            bytes([change.get("format", 4)]),
            bytes.fromhex(pan.ljust(20, "F")),
            bytes.fromhex(expiry),
            bytes.fromhex(serial),
            bytes([change.get("hash_algorithm", 1), change.get("key_algorithm", 1)]),
            bytes([change.get("length", key.size), len(key.exponent)]),
            change.get("field", field),
        ]
    )
    remainder = change.get("remainder", remainder)
    exponent = change.get("exponent", key.exponent)
    form = {name: change[name] for name in ("header", "trailer", "spoil_hash") if name in change}
    return signed(issuer, message, remainder + exponent + static_data, **form), remainder


def static_signature(issuer, code, static_data, **change):
    """Tag 93."""
    message = bytes([change.get("format", 3), change.get("hash_algorithm", 1)]) + bytes.fromhex(code)
    message += change.get("fill", b"\xbb") * (issuer.size - 26)
    form = {name: change[name] for name in ("header", "trailer", "spoil_hash") if name in change}
    return signed(issuer, message, static_data, **form)


def dynamic_signature(icc, dynamic_data, terminal_data, **change):
    """Tag 9F4B."""
    length = change.get("length", len(dynamic_data))
    message = bytes([change.get("format", 5), change.get("hash_algorithm", 1), length]) + dynamic_data
    message += change.get("fill", b"\xbb") * (icc.size - 25 - len(dynamic_data))
    form = {name: change[name] for name in ("header", "trailer", "spoil_hash") if name in change}
    return signed(icc, message, terminal_data, **form)
