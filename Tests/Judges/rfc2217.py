"""An RFC 2217 server as pyserial sees it: `rfc2217.py lines|settings|echo URL`.

Says "ok" when everything was as it should be, else what was not.
"""

import sys
import threading
import time

import serial


def expect(what, found, wanted):
    """Waits for the server's notification, at most ten seconds."""
    deadline = time.monotonic() + 10
    while found() != wanted:
        if time.monotonic() > deadline:
            sys.exit(f"{what} is {found()} and not {wanted}")
        time.sleep(0.02)


def lines(port):
    """A loop-back plug: CTS follows RTS, DSR and DCD follow DTR."""
    for state in (True, False, True):
        port.rts = state
        expect("CTS", lambda: port.cts, state)
        port.dtr = not state
        expect("DSR", lambda: port.dsr, not state)
        expect("DCD", lambda: port.cd, not state)
    port.break_condition = True
    port.break_condition = False
    port.write(b"after the break\xff")
    if port.read(16) != b"after the break\xff":
        sys.exit("nothing after the break")
    port.write(b"gone")
    time.sleep(0.3)
    port.reset_input_buffer()
    if port.read(port.in_waiting):
        sys.exit("bytes after a purge")


def settings(port):
    # pyserial raises when the server answers with anything but what it was asked for.
    for baud in (300, 9600, 19200, 57600, 115200, 230400, 250000, 31250):
        port.baudrate = baud
    for size in (serial.SEVENBITS, serial.EIGHTBITS):
        port.bytesize = size
    for parity in (serial.PARITY_EVEN, serial.PARITY_ODD, serial.PARITY_MARK, serial.PARITY_SPACE, serial.PARITY_NONE):
        port.parity = parity
    for stop in (serial.STOPBITS_TWO, serial.STOPBITS_ONE):
        port.stopbits = stop
    for rtscts, xonxoff in ((True, False), (False, True), (False, False)):
        port.rtscts = rtscts
        port.xonxoff = xonxoff


def echo(port):
    count = 1 << 20
    data = bytes((index * 31 + (index >> 8)) & 255 for index in range(count))
    threading.Thread(target=port.write, args=(data,), daemon=True).start()
    back = bytearray()
    while len(back) < count:
        part = port.read(65536 if len(back) + 65536 < count else count - len(back))
        if not part:
            sys.exit(f"only {len(back)} bytes came back")
        back += part
    if bytes(back) != data:
        sys.exit("other bytes came back")


def main():
    action, url = sys.argv[1:]
    port = serial.serial_for_url(url, baudrate=9600, timeout=20)
    {"lines": lines, "settings": settings, "echo": echo}[action](port)
    port.close()
    print("ok")


main()
