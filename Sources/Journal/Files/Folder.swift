internal import Glibc

/// A folder whose names are made durable.
struct Folder: Sendable {
    let path: String
    private let probe: DiskProbe

    init(_ path: String, _ probe: DiskProbe) {
        self.path = path
        self.probe = probe
    }

    /// The folder of a name in here.
    func folder(_ name: String) -> Folder { Folder("\(path)/\(name)", probe) }
    /// A file of a name in here.
    func file(_ name: String, _ access: File.Access) throws(JournalError) -> File {
        try File("\(path)/\(name)", access, probe)
    }

    /// The file of a name in here, for reading; nil if there is none.
    func fileIfAny(_ name: String) throws(JournalError) -> File? {
        do throws(JournalError) {
            return try file(name, .read)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    /// Makes the folder, and those above it, if they do not exist; durable, for its owner only.
    func make() throws(JournalError) {
        guard !exists() else { return }
        let end = path.lastIndex(of: "/") ?? path.startIndex
        let parent = Folder(end == path.startIndex ? "/" : String(path[..<end]), probe)
        if path.contains("/"), end != path.startIndex { try parent.make() }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw JournalError(errno, "make folder", path)
        }
        try (path.contains("/") ? parent : Folder(".", probe)).sync()
    }

    /// Returns once the folder's own name is on the disk, which whoever made it may not have
    /// waited for.
    func syncName() throws(JournalError) {
        guard let end = path.lastIndex(of: "/"), end != path.startIndex else { return }
        do throws(JournalError) {
            try Folder(String(path[..<end]), probe).sync()
        } catch {
            // A folder above that is not ours to read was not made by us either.
            guard error.code == .notPermitted else { throw error }
        }
    }

    /// Makes folders of these names in here, those that do not exist, and waits for the disk once.
    func make(_ names: [String]) throws(JournalError) {
        var isNew = false
        for name in names {
            if mkdir("\(path)/\(name)", 0o700) == 0 {
                isNew = true
            } else if errno != EEXIST {
                throw JournalError(errno, "make folder", "\(path)/\(name)")
            }
        }
        if isNew { try sync() }
    }

    func exists() -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names in the folder, sorted; those that begin with a dot are left out.
    func names() throws(JournalError) -> [String] {
        guard let stream = opendir(path) else { throw JournalError(errno, "list", path) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// Bytes of a file; nil if there is none.
    func size(of name: String) -> Int? {
        var status = stat()
        guard stat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Int(status.st_size)
    }

    /// Gives a file its final name, replacing one of the same name.
    func rename(_ name: String, to folder: Folder, _ newName: String) throws(JournalError) {
        let target = "\(folder.path)/\(newName)"
        let failure = probe.check(.rename, target)
        guard failure == 0 else { throw JournalError(failure, "rename", target) }
        guard Glibc.rename("\(path)/\(name)", target) == 0 else {
            throw JournalError(errno, "rename", target)
        }
    }

    func remove(_ name: String) throws(JournalError) {
        guard unlink("\(path)/\(name)") == 0 else {
            throw JournalError(errno, "remove", "\(path)/\(name)")
        }
    }

    /// Removes the folder with everything in it, if it exists.
    func removeAll() throws(JournalError) {
        guard exists() else { return }
        for name in try names() {
            let inner = folder(name)
            if inner.exists() { try inner.removeAll() } else { try remove(name) }
        }
        guard rmdir(path) == 0 else { throw JournalError(errno, "remove folder", path) }
    }

    /// Gives another folder this one's name, which no folder has or an empty one.
    func take(the fresh: Folder) throws(JournalError) {
        guard Glibc.rename(fresh.path, path) == 0 else {
            throw JournalError(errno, "rename", path)
        }
        let end = path.lastIndex(of: "/")
        try Folder(end.map { String(path[..<$0]) } ?? ".", probe).sync()
    }

    /// Returns once names made, changed or removed in the folder are on the disk.
    func sync() throws(JournalError) {
        let failure = probe.check(.syncFolder, path)
        guard failure == 0 else { throw JournalError(failure, "sync folder", path) }
        let descriptor = retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw JournalError(errno, "open", path) }
        defer { close(descriptor) }
        guard retrying({ fsync(descriptor) }) == 0 else {
            throw JournalError(errno, "sync folder", path)
        }
    }
}
