// swift-tools-version: 6.3

import PackageDescription

// Layers, lowest first; a target may use only what stands above it in this list.
//   C libraries      one Debian library each: module map and shim, nothing else; CMatching and
//                    CChecksum are loops for instructions that Swift does not offer
//   Locking, Bytes   a value behind a lock; bytes that are handed on without being copied
//   wrappers         ZeroMQ, SQLite, Sodium, XXHash, Raster: own the C handles, know no domain
//   pure             Messages, Matching, Catalog, Calendar, Queue: no clock, thread, socket, file or log
//   Search           a picture's bytes to what it shows of a collection
//   Evaluation       pictures from seeds, sets with known answers, what they measure: no clock or socket
//   Journal          segment files, blobs and the journal protocol
//   Service          event loop, roles, stores, configuration
//   Sightline        the client library
//   SightlineCommand the command `sightline`
let package = Package(
    name: "sightline",
    products: [
        .executable(name: "sightline", targets: ["SightlineCommand"]),
        .library(name: "Sightline", targets: ["Sightline"]),
    ],
    targets: [
        .systemLibrary(name: "CZeroMQ"),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CSodium"),
        .systemLibrary(name: "CXXHash"),
        .systemLibrary(name: "CPNG"),
        .systemLibrary(name: "CJPEG"),
        .systemLibrary(name: "CWebP"),
        .systemLibrary(name: "CHEIF"),
        .systemLibrary(name: "CLCMS"),
        .systemLibrary(name: "CIsolation"),
        .systemLibrary(name: "CICal"),
        .target(name: "CChecksum", cSettings: [.unsafeFlags(["-O2"])]),
        .target(name: "CMatching", cSettings: [.unsafeFlags(["-O2", "-ffp-contract=off"])]),

        .target(name: "Locking"),
        .target(name: "Bytes"),

        .target(name: "ZeroMQ", dependencies: ["Bytes", "CZeroMQ"]),
        .target(name: "SQLite", dependencies: ["CSQLite"]),
        .target(name: "Sodium", dependencies: ["CSodium"]),
        .target(name: "XXHash", dependencies: ["CXXHash"]),
        .target(
            name: "Raster",
            dependencies: ["CPNG", "CJPEG", "CWebP", "CHEIF", "CLCMS", "CIsolation", "Locking"],
            exclude: ["DECISIONS.md"]),

        .target(name: "Messages", dependencies: ["Bytes"]),
        .target(name: "Matching", dependencies: ["CMatching"]),
        .target(name: "Catalog", dependencies: ["Messages"]),
        .target(name: "Calendar", exclude: ["DECISIONS.md"]),
        .target(name: "Queue", dependencies: ["Bytes", "Messages"]),

        .target(name: "Search", dependencies: ["Matching", "Messages", "Raster"]),
        .target(
            name: "Evaluation",
            dependencies: ["Locking", "Matching", "Messages", "Raster", "Search", "XXHash"]),

        .target(
            name: "Journal",
            dependencies: [
                "Bytes", "CChecksum", "Locking", "Messages", "Queue", "Sodium", "XXHash",
            ]),
        .target(
            name: "Service",
            dependencies: [
                "Bytes", "Calendar", "Catalog", "Evaluation", "Journal", "Locking", "Matching",
                "Messages", "Queue", "Raster", "Search", "SQLite", "Sodium", "XXHash", "ZeroMQ",
            ]),
        .target(name: "Sightline", dependencies: ["Journal", "Messages", "Service"]),
        .executableTarget(
            name: "SightlineCommand",
            dependencies: [
                "Calendar", "Catalog", "Evaluation", "Journal", "Locking", "Matching", "Messages",
                "Raster", "Search", "Service", "Sightline",
            ]),

        .executableTarget(
            name: "sightline-bench",
            dependencies: [
                "Bytes", "Calendar", "CICal", "CZeroMQ", "Evaluation", "Journal", "Locking",
                "Matching",
                "Messages", "Queue", "Raster", "SQLite", "Service", "XXHash", "ZeroMQ",
            ],
            path: "Tests/Benchmarks",
            exclude: [
                "Calendar/requirements.txt", "Match/peer.py", "Match/requirements.txt",
                "Pictures/peer.py", "Pictures/requirements.txt",
            ]),

        .executableTarget(
            name: "sightline-fuzz", dependencies: ["Calendar", "Raster", "TestSupport"],
            path: "Tests/Fuzz"),

        .target(name: "TestSupport", dependencies: ["Messages"], path: "Tests/TestSupport"),
        .testTarget(name: "ZeroMQTests", dependencies: ["Bytes", "ZeroMQ", "TestSupport"]),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "TestSupport"]),
        .testTarget(
            name: "RasterTests", dependencies: ["Raster", "TestSupport"],
            exclude: ["Fixtures", "Oracle"]),
        .testTarget(name: "MessagesTests", dependencies: ["Bytes", "Messages", "TestSupport"]),
        .testTarget(
            name: "MatchingTests",
            dependencies: ["Locking", "Matching", "Raster", "TestSupport"]),
        .testTarget(
            name: "EvaluationTests",
            dependencies: [
                "Evaluation", "Locking", "Matching", "Messages", "Raster", "Search",
                "TestSupport", "XXHash",
            ]),
        .testTarget(
            name: "CatalogTests", dependencies: ["Bytes", "Catalog", "Messages", "TestSupport"]),
        .testTarget(name: "CalendarTests", dependencies: ["Calendar", "TestSupport"]),
        .testTarget(
            name: "QueueTests", dependencies: ["Bytes", "Messages", "Queue", "TestSupport"]),
        .testTarget(
            name: "JournalTests",
            dependencies: [
                "Bytes", "Journal", "Locking", "Messages", "Queue", "Sodium", "TestSupport",
            ]),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["Calendar", "Journal", "Messages", "Queue", "Service", "TestSupport"]),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "Bytes", "Catalog", "Journal", "Matching", "Messages", "Queue", "Raster",
                "Service", "SQLite", "TestSupport",
            ]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Evaluation", "Journal", "Locking", "Messages", "Raster", "Service", "Sightline",
                "SightlineCommand", "TestSupport", "ZeroMQ",
            ], exclude: ["Fixtures"]),
        .testTarget(
            name: "SightlineTests",
            dependencies: ["Locking", "Messages", "Service", "Sightline", "TestSupport"]),
        .testTarget(name: "TidyTests", dependencies: ["TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]
/// Targets in which no unsafe construct may stand at all.
let strictlySafe: Set<String> = ["Messages", "Catalog", "Queue"]

for target in package.targets
where target.type != .system && !["CChecksum", "CMatching"].contains(target.name) {
    target.swiftSettings = settings
    // Optimising test code costs minutes and nothing is measured in it.
    if target.type == .test { target.swiftSettings?.append(.unsafeFlags(["-Onone"])) }
    if strictlySafe.contains(target.name) {
        target.swiftSettings?.append(.strictMemorySafety())
    }
}
