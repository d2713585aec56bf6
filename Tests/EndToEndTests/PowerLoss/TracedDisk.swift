import Foundation
import TestSupport

/// What a disk may hold when the power fails, from the events of a trace.
///
/// Bytes are certain up to the last sync of their file that has returned, names up to that of
/// their folder; whatever came later may be there or not, each sector of 512 bytes and each name
/// by itself.
struct TracedDisk {
    private struct Change {
        let index: Int
        /// Nil for a truncation.
        let data: ArraySlice<UInt8>?
        let offset: Int
    }
    private struct File {
        var changes: [Change] = []
        /// Changes before this event are certain.
        var certain = 0
    }
    private enum NameChange {
        case add(String, file: Int)
        case remove(String)
        case move(String, String, file: Int)
        case folder(String)
    }
    private static let sector = 512

    private var files: [File] = []
    private var names: [(index: Int, change: NameChange)] = []
    /// Names in a folder are certain if they changed before this event.
    private var certainNames: [String: Int] = [:]
    private let root: String

    /// The disk when the power fails before an event.
    init(_ events: some Collection<TraceEvent>, root: String) {
        self.root = root
        var numbers: [UInt64: Int] = [:]
        var byPath: [String: Int] = [:]
        var folders: Set<String> = [root]
        var begun: [String: [Int]] = [:]
        for (index, event) in events.enumerated() {
            switch event.kind {
            // A killed process may have been in the middle of a sync, which then never returned.
            case .start: begun = [:]
            case .create:
                numbers[event.file] = files.count
                byPath[event.path] = files.count
                names.append((index, .add(event.path, file: files.count)))
                files.append(File())
            case .write, .truncate:
                guard let file = numbers[event.file] else { continue }
                files[file].changes.append(
                    Change(
                        index: index, data: event.kind == .write ? event.data : nil,
                        offset: event.offset))
            case .rename:
                guard let file = byPath.removeValue(forKey: event.path) else { continue }
                byPath[event.second] = file
                names.append((index, .move(event.path, event.second, file: file)))
            case .unlink:
                byPath[event.path] = nil
                names.append((index, .remove(event.path)))
            case .makeFolder:
                folders.insert(event.path)
                names.append((index, .folder(event.path)))
            case .syncBegin: begun["\(event.path) \(event.file)", default: []].append(index)
            case .syncEnd:
                let key = "\(event.path) \(event.file)"
                guard let start = begun[key]?.first, event.result == 0 else { continue }
                begun[key]?.removeFirst()
                if folders.contains(event.path) {
                    certainNames[event.path] = max(certainNames[event.path] ?? 0, start)
                } else if let file = numbers[event.file] {
                    files[file].certain = max(files[file].certain, start)
                }
            // A sync that a killed process was in counts as none.
            case .send, .outcome: continue
            }
        }
    }

    /// Writes one of the possible disks into a folder.
    func write(to target: String, using random: inout SeededRandom) throws {
        var kept: [String: Int] = [:]
        var folders: Set<String> = [root]
        for (index, change) in names {
            guard isCertain(change, index) || Bool.random(using: &random) else { continue }
            switch change {
            case .add(let path, let file): kept[path] = file
            case .remove(let path): kept[path] = nil
            case .move(let from, let path, let file):
                if kept[from] == file { kept[from] = nil }
                kept[path] = file
            case .folder(let path): folders.insert(path)
            }
        }
        let manager = FileManager.default
        try manager.createDirectory(atPath: target, withIntermediateDirectories: true)
        for folder in folders.sorted() where isReachable(folder, in: folders) {
            try manager.createDirectory(
                atPath: target + folder.dropFirst(root.count), withIntermediateDirectories: true)
        }
        for (path, file) in kept.sorted(by: { $0.key < $1.key }) {
            let content = content(of: files[file], using: &random)
            guard isReachable(Self.parent(of: path), in: folders) else { continue }
            try Data(content).write(
                to: URL(fileURLWithPath: target + path.dropFirst(root.count)))
        }
    }

    private func isCertain(_ change: NameChange, _ index: Int) -> Bool {
        let path =
            switch change {
            case .add(let path, _), .remove(let path), .move(_, let path, _), .folder(let path):
                path
            }
        // What is above the watched folder is not in the trace.
        return path == root || index < certainNames[Self.parent(of: path)] ?? 0
    }

    private func isReachable(_ folder: String, in folders: Set<String>) -> Bool {
        var path = folder
        while path != root {
            guard folders.contains(path), path.count > root.count else { return false }
            path = Self.parent(of: path)
        }
        return true
    }

    private static func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private func content(of file: File, using random: inout SeededRandom) -> [UInt8] {
        var bytes: [UInt8] = []
        for change in file.changes {
            let isCertain = change.index < file.certain
            guard let data = change.data else {
                if isCertain || Bool.random(using: &random) {
                    Self.resize(&bytes, to: change.offset)
                }
                continue
            }
            guard !isCertain else {
                Self.put(data, at: change.offset, in: &bytes)
                continue
            }
            let fate = Int.random(in: 0..<4, using: &random)
            if fate == 0 { continue }
            if fate == 1 { Self.put(data, at: change.offset, in: &bytes) }
            if fate >= 2 { Self.tear(data, at: change.offset, in: &bytes, using: &random) }
        }
        return bytes
    }

    private static func resize(_ bytes: inout [UInt8], to count: Int) {
        if bytes.count > count {
            bytes.removeLast(bytes.count - count)
        } else {
            bytes += [UInt8](repeating: 0, count: count - bytes.count)
        }
    }

    private static func put(
        _ data: ArraySlice<UInt8>, at offset: Int, in bytes: inout [UInt8]
    ) {
        let end = offset + data.count
        if bytes.count < end { resize(&bytes, to: end) }
        bytes.replaceSubrange(offset..<end, with: data)
    }

    /// Writes some of the sectors; the size may have grown without their bytes.
    private static func tear(
        _ data: ArraySlice<UInt8>, at offset: Int, in bytes: inout [UInt8],
        using random: inout SeededRandom
    ) {
        let end = offset + data.count
        if Bool.random(using: &random), bytes.count < end {
            resize(&bytes, to: Int.random(in: bytes.count...end, using: &random))
        }
        var start = offset
        while start < end {
            let next = min(end, (start / sector + 1) * sector)
            if Bool.random(using: &random) {
                put(
                    data[data.startIndex + start - offset..<data.startIndex + next - offset],
                    at: start, in: &bytes)
            }
            start = next
        }
    }
}
