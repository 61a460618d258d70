// swift-tools-version: 6.2
import PackageDescription

// Data files that are compiled in, so that an installed binary needs no path to them.
let cards: [Resource] = [
    .embedInCode("Cards/visa-credit.json"),
    .embedInCode("Cards/mastercard-debit.json"),
    .embedInCode("Cards/visa-no-pse.json"),
    .embedInCode("Cards/visa-t0.json"),
    .embedInCode("Cards/mastercard-t1.json"),
    .embedInCode("Cards/visa-expired.json"),
    .embedInCode("Cards/visa-cvn18.json"),
    .embedInCode("Cards/declines-first.json"),
    .embedInCode("Cards/declines-second.json"),
    .embedInCode("Cards/approves-offline.json"),
    .embedInCode("Cards/visa-offline.json"),
    .embedInCode("Cards/blocked-application.json"),
    .embedInCode("Cards/blocked-card.json"),
    .embedInCode("Cards/mute.json"),
    .embedInCode("Cards/two-applications.json"),
    .embedInCode("Cards/no-name.json"),
    .embedInCode("Cards/long-pan.json"),
    .embedInCode("Cards/gpo-format-2.json"),
    .embedInCode("Cards/bad-afl.json"),
    .embedInCode("Cards/missing-cdol1.json"),
    .embedInCode("Cards/nonsense.json"),
    .embedInCode("Cards/pulled.json"),
    .embedInCode("Cards/pulled-first.json"),
    .embedInCode("Cards/pulled-second.json"),
    .embedInCode("Cards/slow.json"),
    .embedInCode("Cards/gpo-refused.json"),
    .embedInCode("Cards/blocked-directory.json"),
    .embedInCode("Cards/asks-to-confirm.json"),
    .embedInCode("Cards/cyrillic-name.json"),
    .embedInCode("Cards/twice-the-same.json"),
    .embedInCode("Cards/fillers.json"),
    .embedInCode("Cards/visa-sda.json"),
    .embedInCode("Cards/visa-dda.json"),
    .embedInCode("Cards/visa-dda-1984.json"),
    .embedInCode("Cards/mastercard-cda.json"),
    .embedInCode("Cards/mastercard-cda-bad-hash.json"),
    .embedInCode("Cards/pin-offline.json"),
    .embedInCode("Cards/visa-cvn22.json"),
    .embedInCode("Cards/mastercard-cvn17.json"),
    .embedInCode("Cards/mastercard-cvn20.json"),
    .embedInCode("Cards/mastercard-cvn21.json"),
    .embedInCode("Cards/ccd.json"),
    .embedInCode("Cards/ccd-aes.json"),
]
let authorities: [Resource] = [.embedInCode("Resources/test-authorities.json")]
let hostProfiles: [Resource] = [
    .embedInCode("Resources/iso8583-1987.json"),
    .embedInCode("Resources/ascii.json"),
    .embedInCode("Resources/binary.json"),
    .embedInCode("Resources/bcd.json"),
    .embedInCode("Resources/ebcdic.json"),
]
let issuers: [Resource] = [.embedInCode("Resources/simulated-issuers.json")]

let package = Package(
    name: "ReaderKit",
    products: [
        .executable(name: "readerctl", targets: ["readerctl"]),
        .executable(name: "fwmockd", targets: ["fwmockd"]),
    ],
    targets: [
        // C libraries of Debian. Each is imported by one module only.
        .systemLibrary(
            name: "CLibUSB", pkgConfig: "libusb-1.0", providers: [.apt(["libusb-1.0-0-dev"])]),
        .systemLibrary(
            name: "CLibUDev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // No pkgConfig: libcurl is loaded when a server is asked, not linked. Its headers lie where compilers look.
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "COpenSSLTLS", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),

        // A part of glibc that the toolchain's module leaves out.
        .systemLibrary(name: "CInotify"),

        // Leaves: values and codecs, no I/O.
        .target(name: "Money"),
        .target(name: "StableCodes"),
        .target(name: "JSONText"),
        .target(name: "BERTLV"),
        .target(name: "ReaderWire", dependencies: ["BERTLV"]),
        .target(name: "ISO8583", resources: hostProfiles),
        .target(name: "Crypto", dependencies: ["COpenSSL"]),
        .target(name: "EMV", dependencies: ["BERTLV", "Crypto", "Money"], resources: authorities),

        .target(name: "Decoder", dependencies: ["BERTLV", "EMV", "JSONText", "ReaderWire", "StableCodes"]),

        // The configuration file: what readerctl and a daemon are told by whoever installs them.
        .target(
            name: "Configuration", dependencies: ["BERTLV", "Crypto", "EMV", "JSONText", "Money", "USBDescriptors"]),

        // The byte-pipe contract and the buses.
        .target(name: "Transport", dependencies: ["StableCodes"]),
        .target(name: "NetworkTransport", dependencies: ["COpenSSLTLS", "StableCodes", "Transport"]),
        .target(name: "USBDescriptors"),
        .target(name: "USB", dependencies: ["CLibUSB", "Transport", "USBDescriptors"]),
        .target(name: "USBSerial", dependencies: ["Transport", "USB", "USBDescriptors"]),
        .target(name: "Serial", dependencies: ["CInotify", "Transport"]),
        .target(name: "Bridge", dependencies: ["NetworkTransport", "Serial", "Transport"]),
        .target(name: "Discovery", dependencies: ["CLibUDev", "Transport", "USBDescriptors"]),

        // Readers, money, storage.
        .target(
            name: "Readers",
            dependencies: [
                "BERTLV", "Discovery", "EMV", "Money", "ReaderWire", "Serial", "StableCodes", "Transport", "USB",
                "USBDescriptors", "USBSerial",
            ]),
        .target(name: "Ledger", dependencies: ["CSQLite", "StableCodes"]),
        .target(
            name: "Gateways",
            dependencies: [
                "BERTLV", "Crypto", "EMV", "ISO8583", "Money", "NetworkTransport", "StableCodes", "Transport",
            ],
            resources: issuers),
        .target(
            name: "AcquirerHost",
            dependencies: [
                "BERTLV", "Crypto", "EMV", "Gateways", "ISO8583", "JSONText", "Money", "NetworkTransport", "Transport",
            ]),
        .target(
            name: "Payments",
            dependencies: [
                "BERTLV", "Crypto", "EMV", "Gateways", "JSONText", "Ledger", "Money", "Readers", "StableCodes",
                "Transport",
            ]),

        // Requests and replies of other apps.
        .target(name: "HTTPClient", dependencies: ["CCurl", "StableCodes", "Transport"]),
        .target(name: "Webhooks", dependencies: ["Crypto", "HTTPClient", "JSONText"]),
        .target(
            name: "Notices",
            dependencies: ["Crypto", "HTTPClient", "Ledger", "Money", "Payments", "Transport", "Webhooks"]),
        .target(
            name: "AppToApp",
            dependencies: ["Crypto", "HTTPClient", "JSONText", "Money", "Payments", "Transport"]),

        // Reader firmware and cards that behave like the real ones; never linked by the drivers.
        .target(
            name: "FirmwareCores",
            path: "firmware-mocks/FirmwareCores",
            resources: cards),
        .target(
            name: "InProcessMock",
            dependencies: ["FirmwareCores", "Transport"],
            path: "firmware-mocks/InProcessMock"),
        .target(
            name: "UMockdevBed",
            dependencies: ["FirmwareCores"],
            path: "firmware-mocks/UMockdevBed"),
        .executableTarget(
            name: "fwmockd",
            dependencies: ["FirmwareCores", "JSONText", "UMockdevBed"],
            path: "firmware-mocks/fwmockd"),
        .target(
            name: "SharedChecks",
            dependencies: ["Transport", "USBDescriptors"],
            path: "firmware-mocks/SharedChecks"),
        .executableTarget(
            name: "crashbed",
            dependencies: [
                "Crypto", "EMV", "FirmwareCores", "Gateways", "InProcessMock", "JSONText", "Ledger", "Money",
                "Payments",
                "ReaderWire", "Readers", "Transport", "USBDescriptors",
            ],
            path: "firmware-mocks/crashbed"),
        .executableTarget(
            name: "readerbench",
            dependencies: ["EMV", "Readers", "Transport"],
            path: "firmware-mocks/readerbench"),
        .executableTarget(
            name: "readersbench",
            dependencies: [
                "EMV", "FirmwareCores", "InProcessMock", "Money", "ReaderWire", "Readers", "Serial", "Transport",
                "USBDescriptors",
            ],
            path: "firmware-mocks/readersbench"),
        .executableTarget(
            name: "decodebench",
            dependencies: ["BERTLV", "Decoder", "ReaderWire"],
            path: "firmware-mocks/decodebench"),
        .executableTarget(
            name: "kernelbench",
            dependencies: ["BERTLV", "EMV", "FirmwareCores", "Money"],
            path: "firmware-mocks/kernelbench"),
        .executableTarget(
            name: "ledgerbench",
            dependencies: ["Ledger"],
            path: "firmware-mocks/ledgerbench"),
        .executableTarget(
            name: "pipelinebench",
            dependencies: ["EMV", "FirmwareCores", "Gateways", "Ledger", "Money", "Payments", "Readers", "Transport"],
            path: "firmware-mocks/pipelinebench"),
        .executableTarget(
            name: "hwcheck",
            dependencies: ["Discovery", "SharedChecks", "Transport", "USB"],
            path: "firmware-mocks/hwcheck"),

        .executableTarget(
            name: "paycheck",
            dependencies: ["EMV", "Money", "Readers", "Transport"],
            path: "firmware-mocks/paycheck"),
        .executableTarget(
            name: "linecheck",
            dependencies: ["Discovery", "Serial", "Transport"],
            path: "firmware-mocks/linecheck"),
        .executableTarget(
            name: "bridgebench",
            dependencies: ["Bridge", "Transport"],
            path: "firmware-mocks/bridgebench"),

        .executableTarget(
            name: "chipcheck",
            dependencies: ["Discovery", "Transport", "USB", "USBSerial"],
            path: "firmware-mocks/chipcheck"),

        // The page of all codes, made from the types.
        .target(
            name: "ErrorPage",
            dependencies: [
                "Decoder", "Gateways", "HTTPClient", "Ledger", "NetworkTransport", "Payments", "Readers", "StableCodes",
                "Transport",
            ]),
        .executableTarget(name: "cataloguegen", dependencies: ["ErrorPage", "Payments", "Readers"]),
        .executableTarget(
            name: "readerctl",
            dependencies: [
                "AcquirerHost", "AppToApp", "BERTLV", "Bridge", "Configuration", "Crypto", "Decoder", "Discovery",
                "EMV", "FirmwareCores", "Gateways", "HTTPClient", "ISO8583", "InProcessMock", "JSONText", "Ledger",
                "Money", "NetworkTransport", "Notices", "Payments", "ReaderWire", "Readers", "Serial", "StableCodes",
                "Transport", "USBDescriptors", "Webhooks",
            ]),

        // The same random inputs in every run.
        .target(name: "SeededInput", path: "Tests/SeededInput"),

        .testTarget(name: "BERTLVTests", dependencies: ["BERTLV", "SeededInput"]),
        .testTarget(name: "CryptoTests", dependencies: ["Crypto"]),
        .testTarget(
            name: "DecoderTests", dependencies: ["BERTLV", "Decoder", "EMV", "JSONText", "ReaderWire", "SeededInput"]),
        .testTarget(
            name: "EMVTests", dependencies: ["BERTLV", "Crypto", "EMV", "FirmwareCores", "Money", "SeededInput"],
            resources: [.embedInCode("OfflineAuthentication/faulty-certificates.json")]),
        .testTarget(
            name: "ConfigurationTests",
            dependencies: ["Configuration", "Crypto", "EMV", "JSONText", "Money", "USBDescriptors"]),
        .testTarget(name: "MoneyTests", dependencies: ["Money"]),
        .testTarget(name: "ErrorPageTests", dependencies: ["ErrorPage", "StableCodes"]),
        .testTarget(name: "JSONTextTests", dependencies: ["JSONText"]),
        .testTarget(name: "ISO8583Tests", dependencies: ["ISO8583", "SeededInput"]),
        .testTarget(name: "ReaderWireTests", dependencies: ["ReaderWire"]),
        .testTarget(name: "TransportTests", dependencies: ["Transport"]),
        .testTarget(name: "NetworkTransportTests", dependencies: ["NetworkTransport", "Transport"]),
        .testTarget(name: "USBDescriptorsTests", dependencies: ["USBDescriptors"]),
        .testTarget(name: "USBTests", dependencies: ["Transport", "USB"]),
        .testTarget(
            name: "SerialTests", dependencies: ["Serial", "SeededInput", "Transport"]),
        .testTarget(
            name: "USBSerialTests",
            dependencies: [
                "FirmwareCores", "InProcessMock", "SeededInput", "Transport", "USB", "USBDescriptors", "USBSerial",
            ]),
        .testTarget(
            name: "BridgeTests", dependencies: ["Bridge", "NetworkTransport", "SeededInput", "Serial", "Transport"]),
        .testTarget(name: "DiscoveryTests", dependencies: ["Discovery"]),
        .testTarget(
            name: "SharedChecksTests",
            dependencies: ["FirmwareCores", "InProcessMock", "SharedChecks", "Transport", "fwmockd", "hwcheck"]),
        .testTarget(name: "FirmwareCoresTests", dependencies: ["FirmwareCores", "InProcessMock", "Transport"]),
        .testTarget(
            name: "UMockdevBedTests", dependencies: ["FirmwareCores", "UMockdevBed", "chipcheck", "fwmockd"]),
        .testTarget(name: "LedgerTests", dependencies: ["Ledger"]),
        .testTarget(
            name: "GatewaysTests",
            dependencies: ["BERTLV", "Crypto", "EMV", "FirmwareCores", "Gateways", "Money", "Transport", "SeededInput"]),
        .testTarget(name: "HTTPClientTests", dependencies: ["HTTPClient"]),
        .testTarget(name: "WebhooksTests", dependencies: ["Crypto", "HTTPClient", "Webhooks"]),
        .testTarget(
            name: "NoticesTests",
            dependencies: ["Crypto", "HTTPClient", "Ledger", "Notices", "Payments", "Transport", "Webhooks"]),
        .testTarget(
            name: "AppToAppTests",
            dependencies: ["AppToApp", "HTTPClient", "JSONText", "Money", "Payments", "Transport"]),
        .testTarget(
            name: "AcquirerHostTests",
            dependencies: [
                "AcquirerHost", "Crypto", "EMV", "Gateways", "ISO8583", "Money", "NetworkTransport", "Transport",
            ]),
        .testTarget(
            name: "ReadersTests",
            dependencies: [
                "BERTLV", "Discovery", "EMV", "FirmwareCores", "Gateways", "InProcessMock", "Money", "ReaderWire",
                "Readers",
                "SeededInput", "Serial", "Transport", "USBDescriptors", "USBSerial",
            ]),
        .testTarget(
            name: "PaymentsTests",
            dependencies: [
                "BERTLV", "EMV", "FirmwareCores", "Gateways", "InProcessMock", "JSONText", "Ledger", "Money",
                "Payments", "Crypto", "ReaderWire", "Readers", "Transport", "USBDescriptors", "SeededInput",
            ]),
        .testTarget(
            name: "ReaderCtlTests",
            dependencies: [
                "BERTLV", "Discovery", "EMV", "Gateways", "JSONText", "Ledger", "Payments", "Readers", "Transport",
                "USBDescriptors", "USBSerial", "readerctl",
            ]),
        .testTarget(
            name: "JudgeTests",
            dependencies: [
                "AppToApp", "BERTLV", "Crypto", "EMV", "FirmwareCores", "Gateways", "ISO8583", "Money", "readerctl",
                "SeededInput", "Transport", "USBSerial",
            ]),
        .testTarget(
            name: "BlackBoxTests",
            dependencies: [
                "EMV", "FirmwareCores", "Gateways", "InProcessMock", "Ledger", "Money", "Payments", "ReaderWire",
                "Readers", "Serial", "StableCodes", "Transport", "USBDescriptors", "crashbed", "fwmockd", "linecheck",
                "paycheck", "readerctl",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
}
