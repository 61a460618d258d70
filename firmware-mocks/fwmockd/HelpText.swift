import FirmwareCores

enum HelpText {
    static var text: String {
        """
        fwmockd plugs reader firmware into a USB bus that only one program sees.
        The program is unmodified and uses the real libusb and libudev, under umockdev's preload library.

        usage: fwmockd [--device SPEC]... [--control PATH] [--root DIR]
               fwmockd [--device SPEC]... [--control PATH] [--root DIR] [--limit SECONDS] [--script FILE]
                       -- PROGRAM ARGS...

        Without a program it prints one line of JSON with the environment that the client needs,
          {"ready":true,"root":"...","environment":{"LD_PRELOAD":"...","UMOCKDEV_DIR":"..."}}
        then reads steering lines from standard input, answers each with 'ok' or 'error: ...', and ends at
        the end of input or on SIGTERM. With a program it starts it, waits for it and exits as it did.

          --device SPEC     FAMILY[:key=value[,key=value]...]; families: \(CoreFactory.families.joined(separator: ", "))
                            every family: port=1-1..1-15 (else the first free one), plugged=no,
                            access-denied=MS, driver=NAME, capabilities=0xMASK, delay=MS,
                            property=NAME=VALUE
                            reference: serial=TEXT
                            neo2, neo2-serial: card=PROFILE|none, entry=inserted|tapped|swiped,
                            sred=tdes|masked|clear, serial=TEXT and more
                            qpos, mpi: card, entry and sred as neo2, part=BYTES and more
                            ccid: card=PROFILE|none, level=character|tpdu|short|extended, serial=TEXT and more
                            USB-serial chips: model=NAME (ftdi, pl2303), serial=TEXT; device=neo2|qpos|mpi
                            with that reader's options and speed=BAUD; without it an echo, leaves-after=BYTES
          --control PATH    a stream socket that takes steering lines too
          --root DIR        the testbed's directory, absent or empty (else a temporary one)
          --limit SECONDS   how long the program may take (60); then it is killed
          --script FILE     steering lines for the program's run, each preceded by the milliseconds
                            since its start: 'MS PORT COMMAND...'; '#' begins a comment
          --help            this text

        Steering lines:
          PORT unplug | plug
          PORT errno OPERATION NAME|none [COUNT]     OPERATION: claim, release, submit, reset, capabilities,
                                                     detach, urb, clear-halt, set-interface, set-configuration
          PORT access denied MS | access granted     from the next plug on
          PORT driver NAME|none                      a kernel driver holds the interface
          PORT capabilities 0xMASK                   what usbfs says it can do (0x1F)
          PORT delay MS                              every transfer completes later
          PORT property NAME=VALUE|none              a property of udev's rules, from the next plug on
          PORT tty NAME@TARGET@DRIVER|none           its first interface is a serial port whose node leads to
                                                     TARGET, from the next plug on
          PORT after MS COMMAND                      any of these, or of the firmware's, so much later
          PORT ...                                   anything else goes to the firmware
          device SPEC                                one more device

        Exit status: the program's own; 128 + the signal that ended it; 2 wrong use; 3 the mock has complaints
        (for example an ioctl it does not know) or a script line was refused; 77 umockdev is missing or unknown;
        124 the limit was reached; 125 the mock failed; 126 the program could not be started.
        """
    }
}
