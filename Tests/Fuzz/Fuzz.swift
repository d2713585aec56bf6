import Foundation

/// Reads damaged files until the time is over; for AddressSanitizer, with which it is built.
///
///     sightline-fuzz [pictures|calendars|cards] SEEDS [SECONDS] [SEED] [KEEP]
///
/// SEEDS is a folder of pictures, to which the tests' own are added, of calendars or of contact
/// cards, which are damaged at random by SEED. What is being read is written to the folder KEEP
/// first, and stays there if this process ends over it. Exit status 1 if something was found.
@main
enum Fuzz {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let kinds: [String] = ["pictures", "calendars", "cards"]
        let kind = kinds.first { $0 == arguments.first }
        if kind != nil { arguments.removeFirst() }
        guard let folder = arguments.first else {
            print("usage: sightline-fuzz [pictures|calendars|cards] SEEDS [SECONDS] [SEED] [KEEP]")
            exit(2)
        }
        func argument(_ index: Int) -> String? {
            arguments.count > index ? arguments[index] : nil
        }
        let end = Date() + (argument(1).flatMap(Double.init) ?? 60)
        let seed = argument(2).flatMap(UInt64.init) ?? 1
        let keep = argument(3) ?? NSTemporaryDirectory() + "sightline-fuzz"
        let counts = try run(kind ?? "pictures", folder, until: end, seed: seed, keep: keep)
        print(
            counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
                .joined(separator: ", "))
        exit(FuzzLoop.findings.isDisjoint(with: counts.keys) ? 0 : 1)
    }

    private static func run(
        _ kind: String, _ folder: String, until end: Date, seed: UInt64, keep: String
    ) throws -> [String: Int] {
        switch kind {
        case "calendars": try FuzzCalendars.run(folder, until: end, seed: seed, keep: keep)
        case "cards": try FuzzCards.run(folder, until: end, seed: seed, keep: keep)
        default: try FuzzPictures.run(folder, until: end, seed: seed, keep: keep)
        }
    }
}
