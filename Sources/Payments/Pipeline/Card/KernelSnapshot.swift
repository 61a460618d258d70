import EMV

/// A kernel as it was when somebody asked what is known of its card. A class: a kernel is large, and looking one value up in
/// the payload of an enumeration copies it whole.
final class KernelSnapshot: Sendable {
    let kernel: ContactKernel

    init(_ kernel: ContactKernel) {
        self.kernel = kernel
    }
}
