import Foundation

/// Descriptors that this process may have open.
public enum OpenFiles {
    /// Raises the limit as far as the system lets this process.
    ///
    /// Every connection takes a descriptor, and the usual limit of 1,024 is meant for programs
    /// that use `select`. Whoever runs a server lowers the hard limit to bound it.
    ///
    /// - Returns: The limit from now on; 0 if the system does not say.
    @discardableResult
    public static func raiseLimit() -> Int {
        var limit = rlimit()
        let kind = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        guard getrlimit(kind, &limit) == 0 else { return 0 }
        guard limit.rlim_cur < limit.rlim_max else { return Int(clamping: limit.rlim_cur) }
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        return Int(clamping: setrlimit(kind, &limit) == 0 ? limit.rlim_max : before)
    }
}
