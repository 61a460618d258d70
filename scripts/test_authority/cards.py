"""The simulated cards that can be authenticated offline. Objects are (tag, value) in hexadecimal."""

from test_authority import certificates


def tlv(tag, value):
    size = len(value)
    length = bytes([size]) if size < 0x80 else bytes([0x81, size])
    return bytes.fromhex(tag) + length + value


def record_value(objects):
    return b"".join(tlv(tag, bytes.fromhex(value)) for tag, value in objects)


class Card:
    """One application: plain records, records to be authenticated, and what the keys add."""

    def __init__(self, file, application, records, signed_records):
        self.file = file
        self.application = application
        # Both: list of ((SFI, record), objects).
        self.records = records
        self.signed_records = signed_records
        self.pan = next(v for _, objects in signed_records for tag, v in objects if tag == "5A").rstrip("F")

    def static_data(self):
        """Book 3, 10.3: SFI 1 to 10 the value of the 70, above the whole 70; then the AIP, since 9F4A asks for it."""
        data = b""
        for (sfi, _), objects in self.signed_records:
            value = record_value(objects)
            data += value if sfi <= 10 else tlv("70", value)
        return data + bytes.fromhex(self.application["aip"])

    def certify(self, authority, index, issuer, identifier, icc=None, pin=None, sda=False, ddol=None):
        certificate, remainder = certificates.issuer_certificate(authority, issuer, identifier)
        add = [[("8F", index), ("9F32", issuer.exponent.hex())], [("90", certificate.hex())]]
        if remainder:
            add[0].append(("92", remainder.hex()))
        static_data = self.static_data()
        if sda:
            add.append([("93", certificates.static_signature(issuer, "DAC1", static_data).hex())])
        if icc:
            certificate, remainder = certificates.icc_certificate(issuer, icc, self.pan, static_data)
            add.append([("9F46", certificate.hex())])
            add.append([("9F47", icc.exponent.hex())])
            if remainder:
                add[-1].append(("9F48", remainder.hex()))
            if ddol:
                add[-1].append(("9F49", ddol))
            self.application["signingKey"] = icc.for_card()
        if pin:
            certificate, remainder = certificates.icc_certificate(issuer, pin, self.pan, b"", serial="000003")
            add.append([("9F2D", certificate.hex()), ("9F2E", pin.exponent.hex())])
            if remainder:
                add[-1].append(("9F2F", remainder.hex()))
            self.application["pinKey"] = pin.for_card()
        for number, objects in enumerate(add, start=1):
            assert len(tlv("70", record_value(objects))) <= 254, (self.file["name"], number)
            self.records.append(((3, number), objects))
        return self

    def locator(self):
        """One entry for each file; within a file the records to be authenticated come first."""
        files = {}
        for (sfi, record), _ in self.records:
            first, last, count = files.get(sfi, (record, record, 0))
            files[sfi] = (min(first, record), max(last, record), count)
        for (sfi, record), _ in self.signed_records:
            first, last, count = files.get(sfi, (record, record, 0))
            files[sfi] = (min(first, record), max(last, record), count + 1)
        return "".join("%02X%02X%02X%02X" % (sfi << 3, *files[sfi]) for sfi in sorted(files))

    def json(self):
        records = sorted(self.records + self.signed_records, key=lambda record: record[0])
        application = dict(self.application)
        application["afl"] = self.locator()
        application["records"] = [
            {"sfi": sfi, "record": record, "objects": ["%s %s" % (tag, value.upper()) for tag, value in objects]}
            for (sfi, record), objects in records
        ]
        return dict(self.file) | {"applications": [application]}


def visa(name, title, aip, cvm="42035E031F00", **more):
    file = {"name": name, "title": title, "brand": "VISA", "accountType": "credit", "protocol": 1, "counter": 1}
    application = {
        "aid": "A0000000031010", "label": "VISA CREDIT", "priority": 1, "language": "esen", "aip": aip,
        "cryptogram": "visa-10", "authority": "visa", "gpoFormat": 1, "acFormat": 1,
    }  # fmt: skip
    pan = "4761739001010119"
    return Card(
        file, application | more,
        [((1, 1), [("57", pan + "D30122011234500000"), ("5F20", "TEST CARDHOLDER/ONE".encode().hex())])],
        [
            ((2, 1), [
                ("5A", pan), ("5F34", "01"), ("5F24", "301231"), ("5F25", "240101"), ("5F28", "0484"),
                ("5F30", "0201"), ("9F42", "0484"), ("9F07", "FF80"), ("9F08", "008C"), ("9F4A", "82"),
            ]),
            ((2, 2), [
                ("8C", "9F02069F03069F1A0295055F2A029A039C019F3704"),
                ("8D", "8A029F02069F03069F1A0295055F2A029A039C019F3704"),
                ("8E", "0000000000000000" + cvm), ("9F0D", "F040848000"), ("9F0E", "0010000000"),
                ("9F0F", "F040848800"),
            ]),
            # Above SFI 10 the 70 itself is authenticated, too.
            ((11, 1), [("5F55", "MX".encode().hex())]),
        ],
    )  # fmt: skip


def mastercard(name, title, aip, **more):
    file = {"name": name, "title": title, "brand": "MASTERCARD", "accountType": "debit", "protocol": 1, "counter": 65}
    application = {
        "aid": "A0000000041010", "label": "DEBIT MASTERCARD", "priority": 1, "language": "esen", "aip": aip,
        "cryptogram": "mchip-16", "authority": "mastercard", "gpoFormat": 2, "acFormat": 2, "pdol": "9F33039F3501",
    }  # fmt: skip
    pan = "5413330089600044"
    return Card(
        file, application | more,
        [((1, 1), [("57", pan + "D30122011234500000"), ("5F20", "TEST CARDHOLDER/TWO".encode().hex())])],
        [
            ((2, 1), [
                ("5A", pan), ("5F34", "01"), ("5F24", "301231"), ("5F25", "240101"), ("5F28", "0484"),
                ("5F30", "0201"), ("9F42", "0484"), ("9F07", "FF80"), ("9F08", "0002"), ("9F4A", "82"),
                ("8C", "9F02069F03069F1A0295055F2A029A039C019F37049F35019F45029F4C089F3403"),
                ("8D", "910A8A0295059F37049F4C08"), ("8E", "000000000000000042035E031F00"),
                ("9F0D", "FC50808800"), ("9F0E", "0000000000"), ("9F0F", "FC70808800"),
            ]),
        ],
    )  # fmt: skip
