"""A serial port as pyserial sees it: `serialport.py exclusive|open|echo PATH [BAUD [PARITY [RTSCTS]]]`.

Says "open" or "busy" on a line. `open` and `exclusive` hold the port until standard input ends; `echo` sends back what it
is sent, until the port hangs up.
"""

import sys

import serial


def main():
    action, path, *settings = sys.argv[1:]
    baud = int(settings[0]) if settings else 115200
    parity = settings[1] if len(settings) > 1 else "N"
    try:
        port = serial.Serial(
            path, baud, parity=parity, rtscts=len(settings) > 2, exclusive=action == "exclusive" or None, timeout=0.1)
    except serial.SerialException as error:
        if "lock" not in str(error) and "busy" not in str(error):
            raise
        print("busy", flush=True)
        return
    print("open", flush=True)
    if action == "echo":
        try:
            while True:
                data = port.read(port.in_waiting or 1)
                if data:
                    port.write(data)
        except (serial.SerialException, OSError):
            print("hung up", flush=True)
    else:
        sys.stdin.read()


main()
