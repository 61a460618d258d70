#!/usr/bin/env python3
"""Makes the keys and certificates with which simulated cards are authenticated offline.

    scripts/make-test-authority.py           writes the files
    scripts/make-test-authority.py --check   compares them, and fails when one is not up to date

The keys come from fixed labels (test_authority/rsa.py), so every run gives the same files, and their private parts are
public by design. What is written:

    Sources/EMV/Resources/test-authorities.json        public keys of the authorities; two of the schemes' test keys
    firmware-mocks/FirmwareCores/Cards/*.json          cards with certificates and the private keys of their chips
    Tests/EMVTests/OfflineAuthentication/*.json        certificates with one fault each

Python 3.9 or later, no packages. Takes about ten seconds.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from test_authority import cards, certificates, faults  # noqa: E402
from test_authority.rsa import make_key  # noqa: E402

ROOT = pathlib.Path(__file__).parent.parent
VISA, MASTERCARD = "A000000003", "A000000004"

# Published test keys: Visa 94 and Mastercard EF.
SCHEME_KEYS = [
    (VISA, "94", "Visa, published test key", "ACD2B12302EE644F3F835ABD1FC7A6F62CCE48FFEC622AA8EF062BEF6FB8BA8BC68BBF6AB5870EED579BC3973E121303D34841A796D6DCBC41DBF9E52C4609795C0CCF7EE86FA1D5CB041071ED2C51D2202F63F1156C58A92D38BC60BDF424E1776E2BC9648078A03B36FB554375FC53D57C73F5160EA59F3AFC5398EC7B67758D65C9BFF7828B6B82D4BE124A416AB7301914311EA462C19F771F31B3B57336000DFF732D3B83DE07052D730354D297BEC72871DCCF0E193F171ABA27EE464C6A97690943D59BDABB2A27EB71CEEBDAFA1176046478FD62FEC452D5CA393296530AA3F41927ADFE434A2DF2AE3054F8840657A26E0FC617", "C4A3C43CCF87327D136B804160E47D43B60E6E0F"),
    (MASTERCARD, "EF", "Mastercard, published test key", "A191CB87473F29349B5D60A88B3EAEE0973AA6F1A082F358D849FDDFF9C091F899EDA9792CAF09EF28F5D22404B88A2293EEBBC1949C43BEA4D60CFD879A1539544E09E0F09F60F065B2BF2A13ECC705F3D468B9D33AE77AD9D3F19CA40F23DCF5EB7C04DC8F69EBA565B1EBCB4686CD274785530FF6F6E9EE43AA43FDB02CE00DAEC15C7B8FD6A9B394BABA419D3F6DC85E16569BE8E76989688EFEA2DF22FF7D35C043338DEAA982A02B866DE5328519EBBCD6F03CDD686673847F84DB651AB86C28CF1462562C577B853564A290C8556D818531268D25CC98A4CC6A0BDFFFDA2DCCA3A94C998559E307FDDF915006D9A987B07DDAEB3B", "21766EBB0EE122AFB65D7845B73DB46BAB65427A"),
]  # fmt: skip

visa_authority = make_key("authority Visa D1", 1408, 3)
visa_large_authority = make_key("authority Visa D2", 1984, 65537)
mastercard_authority = make_key("authority Mastercard D1", 1408, 3)
visa_issuer = make_key("issuer Visa", 1152, 3)
visa_large_issuer = make_key("issuer Visa large", 1976, 3)
mastercard_issuer = make_key("issuer Mastercard", 1152, 65537)
visa_chip = make_key("chip Visa", 1024, 3)
visa_large_chip = make_key("chip Visa large", 1976, 65537)
visa_pin = make_key("chip Visa PIN", 768, 65537)
mastercard_chip = make_key("chip Mastercard", 1024, 65537)


def key_store():
    keys = []
    for provider, index, note, modulus, check in SCHEME_KEYS:
        assert certificates.sha1(bytes.fromhex(provider + index + modulus + "03")).hex().upper() == check
        keys.append((provider, index, modulus, "03", check, "2049-12-31", note))
    for provider, index, key in [
        (VISA, "D1", visa_authority), (VISA, "D2", visa_large_authority), (MASTERCARD, "D1", mastercard_authority),
    ]:  # fmt: skip
        modulus, exponent = key.modulus.hex().upper(), key.exponent.hex().upper()
        check = certificates.sha1(bytes.fromhex(provider + index + modulus + exponent)).hex().upper()
        keys.append((provider, index, modulus, exponent, check, "2049-12-31", "ReaderKit's own test authority"))
    names = ("provider", "index", "modulus", "exponent", "checkValue", "expires", "note")
    return {"keys": [dict(zip(names, key)) for key in keys], "revoked": []}


def card_files():
    visa_keys = dict(authority=visa_authority, index="D1", issuer=visa_issuer, identifier="476173FF")
    made = [
        cards.visa("visa-sda", "Visa with static data authentication", "5C00").certify(**visa_keys, sda=True),
        cards.visa("visa-dda", "Visa with dynamic data authentication", "7C00").certify(
            **visa_keys, icc=visa_chip, sda=True, ddol="9F37049F02065F2A02"),
        cards.visa("visa-dda-1984", "Visa with keys of 1984 bits", "3C00", acFormat=2).certify(
            visa_large_authority, "D2", visa_large_issuer, "476173FF", icc=visa_large_chip),
        cards.mastercard("mastercard-cda", "Mastercard that signs its cryptogram", "3900").certify(
            mastercard_authority, "D1", mastercard_issuer, "541333FF", icc=mastercard_chip, ddol="9F3704"),
        cards.visa("pin-offline", "Visa with offline PIN 1234, enciphered or plain", "3C00",
                   cvm="440341035E031F03", pin="1234").certify(**visa_keys, icc=visa_chip, pin=visa_pin),
    ]  # fmt: skip
    return {card.file["name"]: card.json() for card in made}


def faulty():
    static_data, terminal_data = bytes.fromhex("5A0847617390010101195C00"), bytes.fromhex("7FBC4049")
    rows = faults.issuer_rows(visa_authority, visa_issuer, visa_chip, mastercard_authority)
    rows += faults.icc_rows(visa_issuer, visa_chip, visa_pin, mastercard_issuer, static_data)
    rows += faults.static_rows(visa_issuer, static_data)
    rows += faults.dynamic_rows(visa_chip, terminal_data)
    names = ("certificate", "remainder", "exponent")
    return {
        "issuerModulus": visa_issuer.modulus.hex().upper(),
        "chipModulus": visa_chip.modulus.hex().upper(),
        "staticData": static_data.hex().upper(),
        "terminalData": terminal_data.hex().upper(),
        "rows": [
            {"kind": kind, "name": name} | dict(zip(names, (value.hex().upper() for value in values)))
            | ({"fault": fault} if fault else {})
            for kind, name, *values, fault in rows
        ],
    }  # fmt: skip


def main():
    files = {"Sources/EMV/Resources/test-authorities.json": key_store()}
    files |= {f"firmware-mocks/FirmwareCores/Cards/{name}.json": card for name, card in card_files().items()}
    files["Tests/EMVTests/OfflineAuthentication/faulty-certificates.json"] = faulty()
    stale = []
    for name, value in files.items():
        path, text = ROOT / name, json.dumps(value, indent=2) + "\n"
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    print("\n".join(("stale: " if "--check" in sys.argv else "wrote ") + name for name in stale) or "up to date")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
