import Foundation
import TestSupport
import Testing

/// Style that matters is a test: these read the source tree.
struct SourceTreeTests {
    private static let sources = SourceFile.all(below: "Sources")
    private static let tests = SourceFile.all(below: "Tests")

    @Test func filesHaveAtMost500Lines() {
        for file in Self.sources where file.lines.count > 500 {
            Issue.record("\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test func functionsHaveAtMost70Lines() {
        for file in Self.sources {
            for function in file.functions where function.lines > 70 {
                Issue.record("\(file.path): \(function.name) has \(function.lines) lines")
            }
        }
    }

    @Test func onlyTheCommandPrints() {
        for file in Self.sources where file.target != "SightlineCommand" {
            for (number, line) in file.lines.enumerated()
            where line.trimmingCharacters(in: .whitespaces).hasPrefix("print(") {
                Issue.record("\(file.path):\(number + 1) prints")
            }
        }
    }

    @Test func cLibrariesAreImportedByTheirWrapperAlone() {
        let wrappers = [
            "CZeroMQ": "ZeroMQ", "CSQLite": "SQLite", "CSodium": "Sodium", "CPNG": "Raster",
            "CJPEG": "Raster", "CICal": "sightline-bench", "CMatching": "Matching",
            "CXXHash": "XXHash",
        ]
        for file in Self.sources {
            for module in file.imports {
                guard let wrapper = wrappers[module] else { continue }
                #expect(file.target == wrapper, "\(file.path) imports \(module)")
            }
        }
    }

    @Test func targetsImportNothingAboveThem() {
        let allowed: [String: Set<String>] = [
            "Messages": ["Bytes", "FoundationEssentials"],
            "Catalog": ["Messages"],
            "Queue": ["Bytes", "Messages"],
            "Matching": ["CMatching"],
            "Calendar": ["Foundation"],
            "Search": ["Matching", "Messages", "Raster"],
            "Evaluation": [
                "Foundation", "Locking", "Matching", "Messages", "Raster", "Search", "XXHash",
            ],
            "Sodium": ["CSodium"], "SQLite": ["CSQLite"], "XXHash": ["CXXHash"],
            "Locking": ["Foundation"], "Bytes": ["Glibc"],
        ]
        for file in Self.sources {
            guard let allowed = allowed[file.target] else { continue }
            for module in file.imports {
                #expect(allowed.contains(module), "\(file.path) imports \(module)")
            }
        }
    }

    @Test func pureTargetsReadNoClockAndNoRandomness() {
        let banned = ["Date()", ".now", "SystemRandomNumberGenerator", "clock_gettime", ".random("]
        for file in Self.sources
        where ["Messages", "Matching", "Catalog", "Calendar", "Queue", "Search", "Evaluation"]
            .contains(file.target)
        {
            for (number, line) in file.lines.enumerated() where !line.isComment {
                for word in banned where line.contains(word) {
                    Issue.record("\(file.path):\(number + 1) says \(word)")
                }
            }
        }
    }

    @Test func nothingIsLeftToDoInSecret() {
        for file in Self.sources + Self.tests where file.target != "TidyTests" {
            for (number, line) in file.lines.enumerated() {
                let words = line.split { !$0.isLetter }
                for mark in ["TODO", "FIXME", "XXX"] where words.contains(where: { $0 == mark }) {
                    Issue.record("\(file.path):\(number + 1) says \(mark)")
                }
            }
        }
    }

    @Test func testsDoNotSleep() {
        let mayWait = [
            "Benchmarks", "EndToEndTests", "ServiceTests", "SightlineTests", "TidyTests",
            "ZeroMQTests",
        ]
        for file in Self.tests where !mayWait.contains(file.target) {
            for (number, line) in file.lines.enumerated()
            where line.contains("sleep(") && !line.isComment {
                Issue.record("\(file.path):\(number + 1) sleeps")
            }
        }
    }
}
