import ArgumentParser
import Foundation
import HealthAccess
import HealthServer

/// `hk person`: the people of a server.
struct PersonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person", abstract: "Add, list and remove the people of a server.",
        discussion: """
            A server with --data has one folder for each person, which contains the store. A running server sees changes \
            at once.

              hk person add anna --name "Anna Berg" --data people
              hk person list --data people
              hk person link anna --data people --url https://health.example.org
              hk person password anna --data people
            """,
        subcommands: [Add.self, Rename.self, List.self, Remove.self, Link.self, Password.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a person with an empty store.")

        @Argument(help: "The identifier, as in URLs: letters, digits and . _ - @.")
        var person: String

        @Option(name: .long, help: "The name shown to people (default: the identifier).")
        var name: String?

        @OptionGroup var stores: ServedStores

        func run() throws {
            let directory = StoreDirectory(location: stores.location)
            defer { directory.close() }
            try directory.create(person, name: name)
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Change the name that is shown; the identifier stays.")

        @Argument(help: "The identifier.")
        var person: String

        @Argument(help: "The new name.")
        var name: String

        @OptionGroup var stores: ServedStores

        func run() throws {
            let directory = StoreDirectory(location: stores.location)
            defer { directory.close() }
            try directory.rename(person, name)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the people.")

        @OptionGroup var stores: ServedStores

        @Option(name: .long, help: "List the people whose identifier or name contains a text.")
        var search: String?

        @Flag(name: .long, help: "Print one JSON value.")
        var json = false

        /// The number of people that are read at a time; each has its own table.
        private static let pageSize = 1_000

        func run() throws {
            let directory = StoreDirectory(location: stores.location)
            defer { directory.close() }
            var selection = PeopleSelection(search: search, limit: Self.pageSize)
            var isFirst = true
            if json { print("[", terminator: "") }
            repeat {
                let page = try directory.people(selection)
                if json {
                    let values = try page.map { try JSONOutput.text($0) }.joined(separator: ",")
                    print((isFirst || page.isEmpty ? "" : ",") + values, terminator: "")
                } else if !page.isEmpty {
                    var table = Table(["person", "name"])
                    for person in page { table.add([person.person, person.name]) }
                    print(table.text(), terminator: "")
                } else if isFirst {
                    print(search == nil ? "No people yet. Add a person with “hk person add”." : "No people found.")
                }
                selection.after = page.count == Self.pageSize ? page.last?.person : nil
                isFirst = false
            } while selection.after != nil
            if json { print("]") }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Delete a person’s store and revoke the tokens for it.",
            discussion: "The data can’t be restored. Without --yes, nothing is deleted.")

        @Argument(help: "The identifier.")
        var person: String

        @Flag(name: .long, help: "Confirm that all data of the person is deleted.")
        var yes = false

        @OptionGroup var stores: ServedStores

        func run() throws {
            let directory = StoreDirectory(location: stores.location)
            guard try directory.exists(person) else {
                throw UsageError("Person “\(person)” not found.")
            }
            guard yes else { throw UsageError("All data of “\(person)” would be deleted. Confirm with --yes.") }
            let registry = AccessRegistry(location: stores.location)
            try registry.removePerson(person)
            try directory.remove(person)
            // What was made meanwhile mustn't be another person's of this name.
            try registry.removePerson(person)
        }
    }

    struct Link: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "link", abstract: "Print a link that signs one browser in, once, within an hour.")

        @Argument(help: "The person (default: everyone, for the owner of the server).")
        var person: String?

        @Option(name: .long, help: "The URL of the server.")
        var url = "http://127.0.0.1:8080"

        @OptionGroup var stores: ServedStores

        func run() throws {
            let directory = StoreDirectory(location: stores.location)
            if let person, try !directory.exists(person) { throw UsageError("Person “\(person)” not found.") }
            let base = try ServerAddress.url(url)
            let code = try AccessRegistry(location: stores.location).addSignInCode(people: person.map { [$0] })
            let link = base.appending(path: "sign-in").appending(queryItems: [URLQueryItem(name: "code", value: code)])
            print(link.absoluteString)
        }
    }

    struct Password: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "password", abstract: "Set or remove the password with which a person signs in.",
            discussion: """
                The password is asked for on the terminal, or is the first line of standard input. It is never an argument, because other users could see it. Browsers that signed in with the one before are signed out.
                """)

        @Argument(help: "The identifier (default: the owner of the server).")
        var person: String?

        @Flag(name: .long, help: "Remove the password.")
        var remove = false

        @OptionGroup var stores: ServedStores

        func run() throws {
            let directory = StoreDirectory(location: stores.location)
            if let person, try !directory.exists(person) { throw UsageError("Person “\(person)” not found.") }
            let registry = AccessRegistry(location: stores.location)
            guard !remove else {
                guard try registry.removePassword(of: person) else { throw UsageError("No password is set.") }
                return
            }
            try registry.setPassword(password(), of: person)
        }

        private func password() throws -> String {
            if PassphrasePrompt.isPossible { return try PassphrasePrompt.readNew("New password: ", of: "password") }
            guard !Terminal.inputIsTerminal, let line = readLine(strippingNewline: true), !line.isEmpty else {
                throw UsageError("Write the password to standard input, or run this command on a terminal.")
            }
            return line
        }
    }
}

/// The address by which browsers reach a server.
enum ServerAddress {
    /// - Throws: ``UsageError`` for a text that isn’t a URL.
    static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text), url.scheme?.hasPrefix("http") == true else {
            throw UsageError("“\(text)” is not a URL. Use a form like https://health.example.org.")
        }
        return url
    }

    /// The link that shows what a secret permits. Browsers don't send what is behind the #.
    static func link(at url: URL, secret: String) -> String {
        let base = url.absoluteString
        return base + (base.hasSuffix("/") ? "" : "/") + "#/link/" + secret
    }
}
