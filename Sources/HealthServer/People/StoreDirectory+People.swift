import Foundation
import HealthStoragePostgreSQL

/// Which of a server's people are listed.
package struct PeopleSelection: Sendable {
    /// A part of the identifier or name, in letters of either case; without one, everyone.
    package var search: String?
    /// The identifier after which the list begins.
    package var after: String?
    /// Those among whom the people are; without it, all.
    package var among: Set<String>?
    /// The greatest number of people; without one, all.
    package var limit: Int?

    package init(search: String? = nil, after: String? = nil, among: Set<String>? = nil, limit: Int? = nil) {
        (self.search, self.after, self.among, self.limit) = (search, after, among, limit)
    }
}

/// A page of a list of people.
struct PeoplePage {
    var people: [PersonSummary]
    /// Where the next page begins; `nil` on the last one.
    var nextCursor: String?
}

extension StoreDirectory {
    /// The people, in the order of their identifiers.
    ///
    /// - Throws: ``DirectoryError`` if the folder can't be read; storage errors.
    public func people() throws -> [PersonSummary] {
        try people(PeopleSelection())
    }

    /// Some of the people, in the order of their identifiers.
    ///
    /// - Throws: ``DirectoryError`` if the folder can't be read; storage errors.
    package func people(_ selection: PeopleSelection) throws -> [PersonSummary] {
        if case .database(let address) = location {
            return try ServerDatabase.at(address).database().people(
                search: selection.search, after: selection.after, among: selection.among.map(Array.init),
                limit: selection.limit
            ).map { PersonSummary(person: $0.name, name: $0.title ?? $0.name) }
        }
        var people: [PersonSummary] = []
        for person in try identifiers() where selection.includes(person) {
            if people.count == selection.limit ?? .max { break }
            guard try exists(person) else { continue }
            let summary = PersonSummary(person: person, name: name(of: person))
            if selection.matches(summary) { people.append(summary) }
        }
        return people
    }

    /// A page of as many people as the selection's limit.
    func page(_ selection: PeopleSelection) throws -> PeoplePage {
        var selection = selection
        let limit = selection.limit ?? .max
        // One more shows whether there is another page.
        selection.limit = selection.limit.map { $0 + 1 }
        let people = try people(selection)
        guard people.count > limit else { return PeoplePage(people: people) }
        return PeoplePage(people: Array(people.prefix(limit)), nextCursor: people[limit - 1].person)
    }

    /// The names in a folder that can be identifiers of people, in their order.
    private func identifiers() throws -> [String] {
        guard case .folder(let folder) = location else { return [StoreLocation.onlyPerson] }
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw DirectoryError("The folder “\(folder)” can’t be read.")
        }
    }
}

extension PeopleSelection {
    fileprivate func includes(_ person: String) -> Bool {
        (after.map { person > $0 } ?? true) && (among?.contains(person) ?? true)
    }

    fileprivate func matches(_ summary: PersonSummary) -> Bool {
        guard let text = search?.lowercased() else { return true }
        return summary.person.lowercased().contains(text) || summary.name.lowercased().contains(text)
    }
}
