import Matching

/// Versions that the command shows.
public enum ServiceVersions {
    /// The version of the feature prints that this build makes and compares.
    public static let featurePrint = FeaturePrint.version
}
