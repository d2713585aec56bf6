import Foundation
import TestSupport
import Testing

/// Options that a form of a subcommand would do nothing with.
struct CommandFormsTests {
    @Test(
        arguments: [
            (["catalog", "info", "--connect", "127.0.0.1:1"], "'catalog info' takes no --connect"),
            (["catalog", "verify", "--json"], "'catalog verify' takes no --json"),
            (["catalog", "rebuild", "--json"], "'catalog rebuild' takes no --json"),
            (["journal", "info", "--keys", "k"], "'journal info' takes no --keys"),
            (["journal", "--json"], "'journal' takes no --json"),
            (["journal", "compact", "--trust-network"], "takes no --trust-network"),
            (["log", "info", "d", "--limit", "3"], "'log info' takes no --limit"),
            (["log", "verify", "d", "--out", "o"], "'log verify' takes no --out"),
            (["key", "new", "k", "--as", "ada"], "'key new' takes no --as and no other option"),
            (["entity", "show", "album", "1", "--after", "album/1"], "takes no --after"),
            (["account", "erase", "ada", "--out", "f"], "'account erase' takes no --out"),
            (["dead", "show", "1", "--all"], "'dead show' takes no --all"),
            (["contacts", "push", "a", "b", "--name", "n"], "'contacts push' takes no --name"),
            (["contacts", "access", "a", "full", "--json"], "takes no --json"),
            (["health", "query", "a", "--reset"], "'health query' takes no --reset"),
            (["calendar", "expand", "f.ics", "--connect", "x"], "'calendar expand' takes no"),
            (["calendar", "match", "t", "--zone", "UTC"], "'calendar match' takes no --zone"),
            (["search", "p.jpg", "--budget", "5s"], "--budget needs --detach"),
            (["import", "--example", "album", "--prune"], "--prune does nothing with --example"),
            (["import", "album", "f.csv", "--example", "album"], "no argument with --example"),
            (
                ["result", String(repeating: "0", count: 32), "--drop", "--wait"],
                "--wait does nothing with --drop"
            ),
            (["evaluate", "--pictures", "d", "--set", "s"], "--set is for --root"),
            (["evaluate", "--root", "d", "--type", "album"], "--type needs --connect"),
        ])
    func anOptionOfAnotherFormIsRefused(arguments: [String], text: String) throws {
        try withTemporaryDirectory { folder in
            try Data("no picture".utf8).write(to: URL(fileURLWithPath: "\(folder)/p.jpg"))
            let result = try Command.run(
                arguments.map { $0 == "p.jpg" ? "\(folder)/p.jpg" : $0 })
            #expect(result.status == 2, "\(result)")
            #expect(result.errors.contains(text), "\(result)")
        }
    }

    @Test func whatIsSetForAllCommandsIsNotRefused() throws {
        try withTemporaryDirectory { folder in
            try Data(#"{"connect":"127.0.0.1:1","json":true}"#.utf8)
                .write(to: URL(fileURLWithPath: "\(folder)/all.json"))
            let result = try Command.run([
                "catalog", "verify", "--config", "\(folder)/all.json", "--data", "\(folder)/none",
            ])
            #expect(!result.errors.contains("takes no"), "\(result)")
        }
    }
}
