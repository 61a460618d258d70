import Foundation
import NetworkTransport
import Testing

/// A certificate authority, and a host's certificate for localhost and 127.0.0.1, in a directory of their own.
final class Certificates: Sendable {
    static let absence: String? =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") ? nil : "the openssl command line is missing"

    private let directory: String
    var authority: String { directory + "/ca.pem" }
    var server: TLSServerSettings {
        TLSServerSettings(certificateFile: directory + "/host.pem", keyFile: directory + "/host.key")
    }

    init() async throws {
        directory = NSTemporaryDirectory() + "certificates-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        try await make(
            ["req", "-x509"] + key + [
                "-keyout", directory + "/ca.key", "-out", authority, "-days", "20", "-subj", "/CN=Test authority",
            ])
        try await make(
            ["req", "-x509"] + key + [
                "-keyout", directory + "/host.key", "-out", directory + "/host.pem", "-days", "20", "-subj", "/CN=host",
                "-CA", authority, "-CAkey", directory + "/ca.key", "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1", "-addext", "basicConstraints=CA:FALSE",
            ])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func make(_ arguments: [String]) async throws {
        try #require(try await Self.openssl(arguments) == 0)
    }

    /// Runs the command line without input and answers its status.
    static func openssl(_ arguments: [String]) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }
}
