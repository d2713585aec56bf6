import CMatching

/// The inner loops of the extraction, and which implementation of them runs.
package struct ExtractionKernels: Sendable {
    /// Plain C, on every processor.
    package static let portable = ExtractionKernels(cm_extraction_portable())
    /// AVX2 where the processor has it, otherwise as portable; the same bits.
    package static let fast = ExtractionKernels(cm_extraction_fast())

    let functions: cm_extraction

    private init(_ functions: UnsafePointer<cm_extraction>) { self.functions = functions.pointee }
}
