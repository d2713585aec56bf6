import Foundation
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// `sightline key`, the files that it writes, and those that servers refuse.
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct KeyCommandTests {
        @Test func pairsAreMadeAllowedListedAndRevoked() throws {
            try withTemporaryDirectory { folder in
                let allowed = ["--allowed", "\(folder)/allowed"]
                let made = try Command.run(["key", "new", "\(folder)/ada"])
                #expect(made.status == 0, "\(made)")
                let key = try #require(
                    made.output.split(separator: "\n").first?.split(separator: " ").last)
                #expect(key.count == 40)
                #expect(!made.output.contains("secret-key"))
                #expect(try mode("\(folder)/ada.key_secret") == 0o600)
                #expect(try mode("\(folder)/ada.key") == 0o644)
                #expect(
                    try !String(contentsOfFile: "\(folder)/ada.key", encoding: .utf8)
                        .contains("secret-key"))
                #expect(try Command.run(["key", "new", "\(folder)/ada"]).status == 2)

                let first = try Command.run(["key", "allow", "\(folder)/ada.key"] + allowed)
                #expect(first.output == "allowed ada \(key)\n", "\(first)")
                let again = try Command.run(["key", "allow", "\(folder)/ada.key"] + allowed)
                #expect(again.output == "allowed already\n", "\(again)")
                #expect(again.status == 0)
                // The key itself needs a name, and stands in the list once.
                let other = try Command.run(
                    ["key", "allow", String(key), "--as", "lovelace"] + allowed)
                #expect(other.status == 2)
                #expect(other.errors.contains("as 'ada'"), "\(other)")
                let listed = try Command.run(["key", "list"] + allowed)
                #expect(listed.output.contains("ada   \(key)"), "\(listed)")
                let json = try Command.run(["key", "list", "--json"] + allowed)
                #expect(json.output.contains(#""name":"ada""#), "\(json)")
                let gone = try Command.run(["key", "revoke", "ada"] + allowed)
                #expect(gone.output == "revoked ada \(key)\n", "\(gone)")
                #expect(try Command.run(["key", "list"] + allowed).output == "no key is allowed\n")
                #expect(try Command.run(["key", "revoke", "ada"] + allowed).status == 2)
                #expect(try Command.run(["key", "allow", "no key"] + allowed).status == 2)
            }
        }

        @Test func filesThatOthersReadOrChangeAreRefused() throws {
            try withTemporaryDirectory { folder in
                let ring = try KeyRing(folder: folder, allowing: ["ada"])
                let deployment = Deployment(folder: folder)
                let serve = ["serve", "--listen", ":\(deployment.port)", "--data", folder]
                try setMode(ring.pair("server"), 0o640)
                let wide = try Command.run(serve + ring.server())
                #expect(wide.status == 2)
                #expect(wide.errors.contains("can be read or changed by others (mode 640)"))
                #expect(wide.errors.contains("chmod 600"), "\(wide.errors)")
                try setMode(ring.pair("server"), 0o600)

                try setMode(ring.allowed, 0o666)
                let open = try Command.run(serve + ring.server())
                #expect(open.status == 2)
                #expect(open.errors.contains("can be changed by others"), "\(open.errors)")
                try setMode(ring.allowed, 0o644)

                try setMode(ring.pair("ada"), 0o604)
                let client = try Command.run(["status"] + deployment.connect + ring.client("ada"))
                #expect(client.status == 2)
                #expect(client.errors.contains("mode 604"), "\(client.errors)")
            }
        }

        @Test func whatDoesNotFitTogetherIsRefusedAtTheStart() throws {
            try withTemporaryDirectory { folder in
                let ring = try KeyRing(folder: folder, allowing: ["ada"])
                func refused(_ arguments: [String], _ words: String) throws {
                    let result = try Command.run(arguments)
                    #expect(result.status == 2, "\(result)")
                    #expect(result.errors.contains(words), "\(result.errors)")
                }
                let key = ["--key", ring.pair("server")]
                try refused(["serve", "--data", folder] + key, "cannot read")
                try refused(
                    ["serve", "--data", folder, "--allowed", ring.allowed], "--allowed needs --key")
                try refused(["status"] + key, "--key needs --server-key")
                try refused(
                    ["status", "--server-key", ring.file("server")], "--server-key needs --key")
                try refused(
                    ["status", "--key", ring.file("ada"), "--server-key", ring.file("server")],
                    "mode 644")
                for role in ["serve", "router", "journal"] {
                    try refused(
                        [role, "--listen", "192.0.2.1:5570", "--data", folder].filter {
                            role != "router" || ($0 != "--data" && $0 != folder)
                        }, "nothing authenticates them; give --key and --allowed")
                }
            }
        }

        private func mode(_ path: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return try #require(attributes[.posixPermissions] as? NSNumber).intValue
        }
        private func setMode(_ path: String, _ mode: Int) throws {
            try FileManager.default.setAttributes(
                [.posixPermissions: NSNumber(value: mode)], ofItemAtPath: path)
        }
    }
}
