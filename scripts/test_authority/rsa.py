"""RSA keys that come out the same on every run. For test keys only: whoever has the label has the private key."""

import hashlib
from dataclasses import dataclass


class Stream:
    """An endless row of bytes from a label: SHA-256 of the label and a counter."""

    def __init__(self, label):
        self.label = label.encode()
        self.counter = 0

    def bytes(self, count):
        out = b""
        while len(out) < count:
            out += hashlib.sha256(self.label + self.counter.to_bytes(8, "big")).digest()
            self.counter += 1
        return out[:count]


def is_prime(n, stream):
    """Miller-Rabin, 40 rounds."""
    for small in (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        if n % small == 0:
            return n == small
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd //= 2
        twos += 1
    for _ in range(40):
        base = 2 + int.from_bytes(stream.bytes(32), "big")
        x = pow(base, odd, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def prime(bits, exponent, stream):
    size = (bits + 7) // 8
    while True:
        n = int.from_bytes(stream.bytes(size), "big") & ((1 << bits) - 1)
        n |= 3 << (bits - 2) | 1
        if (n - 1) % exponent != 0 and is_prime(n, stream):
            return n


@dataclass(frozen=True)
class Key:
    p: int
    q: int
    e: int

    @property
    def n(self):
        return self.p * self.q

    @property
    def size(self):
        return (self.n.bit_length() + 7) // 8

    @property
    def modulus(self):
        return self.n.to_bytes(self.size, "big")

    @property
    def exponent(self):
        return self.e.to_bytes((self.e.bit_length() + 7) // 8, "big")

    @property
    def d(self):
        return pow(self.e, -1, (self.p - 1) * (self.q - 1))

    def sign(self, data):
        assert len(data) == self.size, (len(data), self.size)
        return pow(int.from_bytes(data, "big"), self.d, self.n).to_bytes(self.size, "big")

    def for_card(self):
        """What a chip stores: modulus and the five numbers of the Chinese remainder theorem."""
        half = (self.size + 1) // 2
        parts = {
            "p": self.p,
            "q": self.q,
            "exponentP": self.d % (self.p - 1),
            "exponentQ": self.d % (self.q - 1),
            "coefficient": pow(self.q, -1, self.p),
        }
        text = {"modulus": self.modulus.hex().upper()}
        return text | {name: value.to_bytes(half, "big").hex().upper() for name, value in parts.items()}


def make_key(label, bits, exponent):
    stream = Stream("ReaderKit test authority 1: " + label)
    p = prime(bits // 2, exponent, stream)
    q = prime(bits // 2, exponent, stream)
    return Key(max(p, q), min(p, q), exponent)
