"""Certificates and signatures that are made by the right key but must not be accepted, for the tests."""

from test_authority import certificates as c

PAN = "4761739001010119"
IDENTIFIER = "476173FF"


def certificate_row(kind, name, key, fault, made, exponent=None):
    certificate, remainder = made
    return (kind, name, certificate, remainder, exponent or key.exponent, fault)


def issuer_rows(authority, key, small, other):
    """`key` fits into the certificate with a remainder, `small` without; `other` is another authority's key."""

    def row(name, fault, key=key, signer=authority, identifier=IDENTIFIER, **change):
        made = c.issuer_certificate(signer, key, identifier, **change)
        return certificate_row("issuer", name, key, fault, made, change.get("exponent"))

    filled = small.modulus.ljust(authority.size - 36, b"\xbb")
    spoiled = filled[:-1] + b"\xba"
    even = small.modulus[:-1] + b"\x02"
    zero = b"\x00" + small.modulus[1:]
    return [
        row("good", None),
        row("small", None, key=small),
        row("prefix of three digits", None, identifier="476FFFFF"),
        row("prefix of eight digits", None, identifier="47617390"),
        row("last month", None, expiry="0626"),
        row("another signer", "trailer", signer=other),
        row("header 6B", "header", header=0x6B),
        row("trailer CC", "trailer", trailer=0xCC),
        row("format 04", "format", format=4),
        row("hash algorithm 02", "hashAlgorithm", hash_algorithm=2),
        row("key algorithm 02", "keyAlgorithm", key_algorithm=2),
        row("hash", "hash", spoil_hash=True),
        row("another issuer", "issuerIdentifier", identifier="476174FF"),
        row("two digits", "issuerIdentifier", identifier="47FFFFFF"),
        row("digit after F", "issuerIdentifier", identifier="476F73FF"),
        row("letter A", "issuerIdentifier", identifier="47617AFF"),
        row("month 13", "expiryDate", expiry="1330"),
        row("month 00", "expiryDate", expiry="0030"),
        row("no digits", "expiryDate", expiry="0A30"),
        row("past month", "expired", expiry="0526"),
        row("past century", "expired", expiry="1299"),
        row("revoked", "revoked", serial="00BAD0"),
        row("longer than its signer", "keyLength", length=authority.size + 1),
        row("shorter than any key", "keyLength", length=63),
        row("length one more", "remainderMissing", key=small, length=authority.size - 35),
        row("length one less", "remainder", length=key.size - 1),
        row("no remainder", "remainderMissing", remainder=b""),
        row("short remainder", "remainder", remainder=key.modulus[authority.size - 36 : -1]),
        row("needless remainder", "remainder", key=small, remainder=b"\x01"),
        row("fill", "padding", key=small, field=spoiled),
        row("even", "modulus", key=small, field=even.ljust(authority.size - 36, b"\xbb")),
        row("zero", "modulus", key=small, field=zero.ljust(authority.size - 36, b"\xbb")),
        row("exponent 02", "exponent", exponent=b"\x02"),
    ]


def icc_rows(issuer, key, small, other, static_data):
    def row(name, fault, key=key, signer=issuer, pan=PAN, **change):
        made = c.icc_certificate(signer, key, pan, static_data, **change)
        return certificate_row("icc", name, key, fault, made, change.get("exponent"))

    spoiled = small.modulus.ljust(issuer.size - 42, b"\xbb")[:-1] + b"\xba"
    return [
        row("good", None),
        row("small", None, key=small),
        row("last month", None, expiry="0626"),
        row("another signer", "trailer", signer=other),
        row("header 6B", "header", header=0x6B),
        row("trailer CC", "trailer", trailer=0xCC),
        row("format 02", "format", format=2),
        row("hash algorithm 00", "hashAlgorithm", hash_algorithm=0),
        row("key algorithm 00", "keyAlgorithm", key_algorithm=0),
        row("hash", "hash", spoil_hash=True),
        row("another account", "accountNumber", pan="4761739001010010"),
        row("longer account", "accountNumber", pan=PAN + "1"),
        row("malformed account", "accountNumber", pan="47617390F1010119"),
        row("month 00", "expiryDate", expiry="0030"),
        row("past month", "expired", expiry="0526"),
        row("longer than its signer", "keyLength", length=issuer.size + 1),
        row("no length", "keyLength", length=0),
        row("no remainder", "remainderMissing", remainder=b""),
        row("long remainder", "remainder", remainder=key.modulus[issuer.size - 42 :] + b"\x01"),
        row("fill", "padding", key=small, field=spoiled),
        row("exponent 5", "exponent", exponent=b"\x05"),
    ]


def static_rows(issuer, static_data):
    def row(name, fault, **change):
        return ("static", name, c.static_signature(issuer, "DAC1", static_data, **change), b"", b"", fault)

    return [
        row("good", None),
        row("header 6B", "header", header=0x6B),
        row("trailer CC", "trailer", trailer=0xCC),
        row("format 05", "format", format=5),
        row("hash algorithm 02", "hashAlgorithm", hash_algorithm=2),
        row("fill", "padding", fill=b"\xbc"),
        row("hash", "hash", spoil_hash=True),
    ]


def dynamic_rows(icc, terminal_data):
    def row(name, fault, data="03112233", **change):
        made = c.dynamic_signature(icc, bytes.fromhex(data), terminal_data, **change)
        return ("dynamic", name, made, b"", b"", fault)

    return [
        row("good", None),
        row("longest number", None, data="081122334455667788"),
        row("header 6B", "header", header=0x6B),
        row("trailer CC", "trailer", trailer=0xCC),
        row("format 03", "format", format=3),
        row("hash algorithm 02", "hashAlgorithm", hash_algorithm=2),
        row("fill", "padding", fill=b"\xbc"),
        row("hash", "hash", spoil_hash=True),
        row("no data", "dynamicData", data=""),
        row("more data than room", "dynamicData", length=icc.size - 24),
        row("number of one byte", "dynamicData", data="0111"),
        row("number of nine bytes", "dynamicData", data="09112233445566778899"),
        row("number longer than the data", "dynamicData", data="081122"),
    ]
