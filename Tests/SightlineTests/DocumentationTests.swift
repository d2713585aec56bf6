import Foundation
import TestSupport
import Testing

/// The examples of the documentation are code that compiles.
@Suite(.timeLimit(.minutes(1)))
struct DocumentationTests {
    private static let folder = "Sources/Sightline/Sightline.docc"

    @Test func everyExampleStandsAmongThoseThatAreCompiled() throws {
        let compiled = String(
            decoding: try PackageRoot.bytes("Tests/SightlineTests/Examples.swift"), as: UTF8.self)
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(
            atPath: PackageRoot.path(Self.folder)) where name.hasSuffix(".md")
        {
            let text = String(
                decoding: try PackageRoot.bytes("\(Self.folder)/\(name)"), as: UTF8.self)
            for block in text.components(separatedBy: "```swift\n").dropFirst() {
                let code = block.components(separatedBy: "\n```")[0]
                for function in code.components(separatedBy: "\n\n\n") {
                    #expect(compiled.contains(function), "\(name): \(function)")
                    count += 1
                }
            }
        }
        #expect(count >= 8)
    }
}
