import Foundation

/// Passwords: at most one for each person, and one for the owner of the server.
extension AccessRegistry {
    /// Sets the password of a person. Browsers that signed in with the one before are signed out.
    ///
    /// - Parameter person: The person; `nil` for the owner of the server.
    /// - Throws: ``PasswordError``, ``AccessFileError``.
    public func setPassword(_ password: String, of person: String?) throws {
        try setPassword(PasswordRecord(password, of: person, now: now()))
    }

    /// - Parameter session: A session that stays signed in.
    func setPassword(_ record: PasswordRecord, keeping session: String? = nil) throws {
        try file.update { document in
            Self.removePassword(of: record.person, from: &document, keeping: session)
            document.passwords = (document.passwords ?? []) + [record]
        }
    }

    /// Removes the password of a person. Browsers that signed in with it are signed out.
    ///
    /// - Parameter person: The person; `nil` for the owner of the server.
    /// - Returns: Whether there was one.
    /// - Throws: ``AccessFileError``.
    public func removePassword(of person: String?) throws -> Bool {
        try removePassword(of: person, keeping: nil)
    }

    @discardableResult
    func removePassword(of person: String?, keeping session: String?) throws -> Bool {
        try file.update { Self.removePassword(of: person, from: &$0, keeping: session) }
    }

    @discardableResult
    private static func removePassword(
        of person: String?, from document: inout AccessDocument, keeping session: String?
    ) -> Bool {
        let removed = Set((document.passwords ?? []).filter { $0.person == person }.map(\.id))
        document.passwords?.removeAll { removed.contains($0.id) }
        if document.passwords?.isEmpty == true { document.passwords = nil }
        let ended = { (one: SessionRecord) in one.tokenID.map(removed.contains) == true }
        for index in document.sessions.indices where document.sessions[index].id == session {
            if ended(document.sessions[index]) { document.sessions[index].tokenID = nil }
        }
        document.sessions.removeAll(where: ended)
        return !removed.isEmpty
    }

    /// The password of a person; `nil` if there is none.
    func password(of person: String?) throws -> PasswordRecord? {
        try file.read().document.passwords?.first { $0.person == person }
    }

    /// Remembers a browser that has signed in with a password.
    ///
    /// - Returns: The secret for its cookie.
    func addDevice(toPassword id: String) throws -> String {
        let secret = Secret.make()
        try file.update { document in
            guard let index = document.passwords?.firstIndex(where: { $0.id == id }) else { return }
            let devices = (document.passwords?[index].devices ?? []) + [Secret.digest(secret)]
            document.passwords?[index].devices = devices.suffix(PasswordRecord.maximumDevices)
        }
        return secret
    }
}
