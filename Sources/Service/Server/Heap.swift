internal import CMalloc
import Foundation

/// How this process's memory is managed by glibc.
public enum Heap {
    /// Free bytes at the end of an arena that go back to the system; fewer are kept.
    private static let trimBytes: Int32 = 16 << 20
    /// Bytes that an arena grows by, beyond what is asked for.
    private static let growthBytes: Int32 = 1 << 20
    /// Bytes from which memory is mapped for itself and goes back to the system when it is freed.
    private static let mappedBytes: Int32 = 4 << 20

    /// Sets glibc's heap up for a server, before it starts threads; not if the environment
    /// (`GLIBC_TUNABLES`, `MALLOC_…`) says how it is to be.
    ///
    /// What one thread receives another one frees. By default each thread has an arena of its own,
    /// up to eight for each core, which all grow to what they once needed; and an arena's end goes
    /// back to the system at 128 KiB, so that the memory of each large message is mapped and
    /// cleared anew.
    public static func prepareForServing() {
        let environment = ProcessInfo.processInfo.environment
        let isSetUp = environment.keys.contains {
            $0 == "GLIBC_TUNABLES" || $0.hasPrefix("MALLOC_")
        }
        guard !isSetUp else { return }
        mallopt(M_ARENA_MAX, Int32(clamping: max(2, ProcessInfo.processInfo.processorCount)))
        mallopt(M_TRIM_THRESHOLD, trimBytes)
        mallopt(M_TOP_PAD, growthBytes)
        mallopt(M_MMAP_THRESHOLD, mappedBytes)
    }
}
