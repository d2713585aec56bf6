import Foundation

/// The tier of tests that take long, for `SIGHTLINE_SOAK=1`.
public enum Soak {
    /// Whether it is wanted.
    public static let isOn = ProcessInfo.processInfo.environment["SIGHTLINE_SOAK"] == "1"
}
