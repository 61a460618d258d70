#!/usr/bin/env python3
"""Writes Sources/Decoder/Codes/*Names.swift: currencies, countries, languages and merchant categories by their codes.

Sources: Debian's package iso-codes (ISO 4217, 3166-1, 639-2) and the Python package iso18245 (ISO 18245; where the
standard reserves codes, Visa's and Mastercard's public lists). The minor digits of currencies are not in iso-codes: the
exceptions from two are those of ISO 4217, table A.1.

    apt-get install iso-codes
    python3 -m venv .build/codes && .build/codes/bin/pip install iso18245
    .build/codes/bin/python scripts/generate-codes.py
"""

import csv
import importlib.util
import json
import pathlib

ISO = pathlib.Path("/usr/share/iso-codes/json")
OUT = pathlib.Path(__file__).resolve().parent.parent / "Sources/Decoder/Codes"
DIGITS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
NO_DIGITS = "XAU XAG XPT XPD XBA XBB XBC XBD XDR XSU XUA XTS XXX"


def load(number):
    return json.loads((ISO / f"iso_{number}.json").read_text(encoding="utf-8"))[number]


def write(name, comment, lines):
    text = "\n".join("        " + line.replace("\\", "\\\\") for line in lines)
    OUT.joinpath(f"{name}.swift").write_text(
        f"// Made by scripts/generate-codes.py: do not edit.\n// swift-format-ignore-file\n\n"
        f'extension CodeTable {{\n    /// {comment}\n    static let {name[0].lower() + name[1:]}Data: StaticString = """\n'
        f'{text}\n        """\n}}\n',
        encoding="utf-8",
    )


def currencies():
    digits = {code: number for number, codes in DIGITS.items() for code in codes.split()}
    for entry in sorted(load("4217"), key=lambda entry: entry["numeric"]):
        code = entry["alpha_3"]
        minor = "-" if code in NO_DIGITS.split() else digits.get(code, 2)
        yield f"{entry['numeric']} {code} {minor} {entry['name']}"


def countries():
    for entry in sorted(load("3166-1"), key=lambda entry: entry["numeric"]):
        name = entry.get("common_name", entry["name"])
        yield f"{entry['numeric']} {entry['alpha_2']} {entry['alpha_3']} {name}"


def languages():
    known = [entry for entry in load("639-2") if "alpha_2" in entry]
    for entry in sorted(known, key=lambda entry: entry["alpha_2"]):
        yield f"{entry['alpha_2']} {entry['name'].split(';')[0]}"


def categories():
    data = pathlib.Path(importlib.util.find_spec("iso18245").origin).parent / "data"
    names = {}
    for file in ("mastercard_list.csv", "visa_list.csv", "iso18245_official_list.csv"):
        with (data / file).open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                # 3000 to 3999 are single airlines, car rentals and hotels: told by their range.
                if row["MCC"].isdigit() and not "3000" <= row["MCC"] <= "3999":
                    names[row["MCC"]] = " ".join(row["DESCRIPTION"].split())
    return [f"{code} {names[code]}" for code in sorted(names)]


OUT.mkdir(exist_ok=True)
write("CurrencyNames", "ISO 4217: number, letters, minor digits (or -), name.", list(currencies()))
write("CountryNames", "ISO 3166-1: number, two letters, three letters, name.", list(countries()))
write("LanguageNames", "ISO 639: two letters, name.", list(languages()))
write("CategoryNames", "ISO 18245: merchant category code, name.", categories())
