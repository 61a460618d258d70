// swift-tools-version: 6.2
import PackageDescription

// Data files that are compiled in, so that an installed binary needs no path to them.
let authorities: [Resource] = [.embedInCode("Resources/test-authorities.json")]

let package = Package(
    name: "ReaderKit",
    products: [
    ],
    targets: [
        // C libraries of Debian. Each is imported by one module only.
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

        // Leaves: values and codecs, no I/O.
        .target(name: "Money"),
        .target(name: "JSONText"),
        .target(name: "BERTLV"),
        .target(name: "Crypto", dependencies: ["COpenSSL"]),


        // The byte-pipe contract and the buses.

        // Readers, money, storage.

        // Reader firmware and cards that behave like the real ones; never linked by the drivers.


        .testTarget(name: "BERTLVTests", dependencies: ["BERTLV"]),
        .testTarget(name: "CryptoTests", dependencies: ["Crypto"]),
        .testTarget(name: "MoneyTests", dependencies: ["Money"]),
        .testTarget(name: "JSONTextTests", dependencies: ["JSONText"]),
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
