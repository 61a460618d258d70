"""Speeds of USB-serial chips, worked out with exact fractions: one JSON object a line in, one a line out.

In: "chip" and "speeds". Out: "answers", for each speed null when the chip does not come within 3 %, else the numbers of its
requests followed by the speed that it really makes, rounded to the nearest whole number.
"""

import json
import math
import sys
from fractions import Fraction

LIMIT = Fraction(3, 100)


def close(rate, speed):
    return abs(rate - speed) <= LIMIT * speed


def nearest(number):
    return math.floor(number + Fraction(1, 2))


# FTDI AN232B-05, figure 3: the fraction of the divisor by the three bits that code it.
FRACTIONS = ["0", "1/2", "1/4", "1/8", "3/8", "5/8", "6/8", "7/8"]


def ftdi_at(speed, clock):
    divisor = Fraction(nearest(Fraction(clock * 8, speed)), 8)
    if divisor < 2:
        divisor = min((Fraction(1), Fraction(3, 2), Fraction(2)), key=lambda one: abs(clock / one - speed))
    divisor = min(divisor, 2**14 - Fraction(1, 8))
    whole, rest = divmod(divisor, 1)
    code = [Fraction(text) for text in FRACTIONS].index(rest)
    if divisor == 1:
        whole, code = 0, 0
    if divisor == Fraction(3, 2):
        whole, code = 1, 0
    return clock / divisor, whole + ((code & 3) << 14), code >> 2


def ftdi(speed):
    rate, value, index = ftdi_at(speed, 3_000_000)
    return [value, index, nearest(rate)] if close(rate, speed) else None


def ftdi_fast(speed):
    usual = ftdi(speed)
    if usual:
        return usual
    rate, value, index = ftdi_at(speed, 12_000_000)
    return [value, index + 2, nearest(rate)] if close(rate, speed) else None


def ch34x(speed):
    base = Fraction(1_532_620_800)
    if speed == 921_600:
        register, low, clock = 0xF3, 0x00, 7
    else:
        steps = [step for step in range(4) if math.floor(base / speed / 8**step) <= 0xFFF0]
        if not steps or speed > 6_000_000:
            return None
        clock = 3 - steps[0]
        register, low = divmod(0x10000 - math.floor(base / speed / 8 ** steps[0]), 0x100)
    # drivers/usb/serial/ch341.c: 48 MHz, a prescaler of 2^(12 - 3 ps - fact), a divisor of 256 less the register.
    ps, fact = clock & 3, clock >> 2
    rate = Fraction(48_000_000, 2 ** (12 - 3 * ps - fact) * (256 - register))
    return [register << 8 | 0x80 | clock, low, nearest(rate)] if close(rate, speed) else None


# drivers/usb/serial/pl2303.c and the list of usb-serial-for-android.
PL2303 = """75 150 300 600 1200 1800 2400 3600 4800 7200 9600 14400 19200 28800 38400 57600 115200 128000 134400 161280
201600 230400 268800 403200 460800 614400 806400 921600 1228800 2457600 3000000 6000000"""
KNOWN = {int(text) for text in PL2303.split()}


def pl2303(speed):
    if speed in KNOWN:
        return [speed, speed]
    if speed > 6_000_000:
        return None
    for exponent in range(8):
        mantissa = 384_000_000 // speed // 4**exponent
        if mantissa < 512:
            rate = Fraction(384_000_000, mantissa * 4**exponent)
            return [0x80000000 + exponent * 512 + mantissa, nearest(rate)] if close(rate, speed) else None
    return None


def cp210x(speed):
    if not 300 <= speed <= 3_000_000:
        return None
    clock = Fraction(24_000_000, 4 if speed <= 365 else 1)
    rate = clock / nearest(clock / speed)
    return [nearest(rate)] if close(rate, speed) else None


CHIPS = {"ftdi": ftdi, "ftdi-fast": ftdi_fast, "ch34x": ch34x, "pl2303": pl2303, "cp210x": cp210x}

for line in sys.stdin:
    case = json.loads(line)
    print(json.dumps({"answers": [CHIPS[case["chip"]](speed) for speed in case["speeds"]]}))
