import Service

extension Arguments {
    /// What this side shows to a router, and by what it knows the router; nil without keys.
    ///
    /// - Throws: `UsageError` if one of the two options is missing, `ConfigurationError` if a file
    ///   cannot be used.
    func connectionKeys() throws -> ConnectionKeys? {
        switch (self["key"], self["server-key"]) {
        case (nil, nil): return nil
        case (let key?, let server?): return try ConnectionKeys(keyFile: key, server: server)
        case (_?, nil):
            throw UsageError("--key needs --server-key, by which the right server is known")
        case (nil, _?):
            throw UsageError("--server-key needs --key: servers with keys let in only those")
        }
    }

    /// What a server shows, and whom it lets in; nil without keys.
    func serverKeys(_ environment: [String: String]) throws -> ServerKeys? {
        guard let key = self["key"] else {
            guard !isGiven("allowed") else {
                throw UsageError("--allowed needs --key, without which nobody is asked for one")
            }
            return nil
        }
        return try ServerKeys(keyFile: key, allowedFile: allowedFile(environment))
    }

    /// What a router shows to the journal; a journal with the same pair needs no option.
    func journalKeys(ofRouterWith keys: ServerKeys?) throws -> ConnectionKeys? {
        guard let journal = self["journal-key"] else { return keys.map { .init(sharedWith: $0) } }
        guard let key = self["key"] else { throw UsageError("--journal-key needs --key") }
        return try ConnectionKeys(keyFile: key, server: journal)
    }

    /// What a worker shows to the journal; one with the key of the router needs no option.
    func journalKeysOfWorker() throws -> ConnectionKeys? {
        guard let journal = self["journal-key"] else { return try connectionKeys() }
        guard let key = self["key"] else { throw UsageError("--journal-key needs --key") }
        return try ConnectionKeys(keyFile: key, server: journal)
    }

    /// Where the public keys stand that are let in.
    func allowedFile(_ environment: [String: String]) -> String {
        self["allowed"]
            ?? ConfigurationFile.folder(environment) + "/allowed-keys"
    }
}
