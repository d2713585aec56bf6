import Calendar
import Foundation
import Messages

/// The calendar files of a folder, and the events that they hold.
struct CalendarFolder {
    /// What a file's directory entry says: a file that has the same is not read again.
    private struct Print: Equatable {
        let size: Int
        let modified: Date
        let inode: Int
    }
    private struct Known {
        let print: Print
        /// Texts by UID; those of the last readable version of the file.
        let texts: [String: [UInt8]]
    }

    private let path: String
    private var files: [String: Known] = [:]
    /// What could not be used, each told once for a version of its file.
    private(set) var complaints: [String] = []

    init(path: String) { self.path = path }

    /// Looks at the folder: texts by UID. Where several files have one UID, the last by name counts.
    ///
    /// - Throws: What the file system says of the folder; of a single file it is a complaint.
    mutating func look() throws -> [String: [UInt8]] {
        complaints = []
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter {
            $0.hasSuffix(".ics") && !$0.hasPrefix(".")
        }.sorted()
        for name in files.keys where !names.contains(name) { files[name] = nil }
        var texts: [String: [UInt8]] = [:]
        for name in names {
            read(name)
            for (uid, text) in files[name]?.texts ?? [:] { texts[uid] = text }
        }
        return texts
    }

    private mutating func read(_ name: String) {
        let file = "\(path)/\(name)"
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file),
            attributes[.type] as? FileAttributeType == .typeRegular
        else { return }
        let print = Print(
            size: attributes[.size] as? Int ?? 0,
            modified: attributes[.modificationDate] as? Date ?? .distantPast,
            inode: attributes[.systemFileNumber] as? Int ?? 0)
        guard files[name]?.print != print else { return }
        let before = files[name]?.texts ?? [:]
        do {
            let bytes = try readFile(file, bytesMax: Limits.calendarFileBytesMax)
            files[name] = Known(print: print, texts: try texts(of: bytes, name))
        } catch {
            // It may be half written; what it held before stays until it can be read.
            files[name] = Known(print: print, texts: before)
            complaints.append("'\(name)': \(error)")
        }
    }

    private mutating func texts(of bytes: [UInt8], _ name: String) throws -> [String: [UInt8]] {
        var texts: [String: [UInt8]] = [:]
        for resource in try ICalendar.resources(
            in: bytes, bytesMax: Limits.calendarFileBytesMax)
        {
            let text = Array(resource.unicodeText.utf8)
            guard text.count <= Limits.resourceBytesMax else {
                complaints.append(
                    "'\(name)': \(resource.uid) has more than \(Limits.resourceBytesMax) bytes")
                continue
            }
            texts[resource.uid] = text
        }
        return texts
    }
}
