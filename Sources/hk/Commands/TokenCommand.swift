import ArgumentParser
import Foundation
import HealthAccess
import HealthServer

/// `hk token`: access to a server for programs and devices.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Make, list and revoke tokens for a server.",
        discussion: """
            A token is an application: it reads and writes the types that are granted, and nothing else. With --owner, it \
            acts as the person. Send it as “Authorization: Bearer TOKEN”. A running server sees changes at once.

              hk token add "Shortcuts" --read stepCount,heartRate --share bodyMass
              hk token add "Phone" --person anna --all --expires 365d --data people
              hk token add "iPhone" --sync
              hk token add "iPhone" --sync --all
              hk token add Berg --link --read bodyMass --expires 7d --url https://a.example
              hk token list
              hk token list --browsers
              hk token revoke ab3c9k2m4x7q
            """,
        subcommands: [Add.self, List.self, Revoke.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Make a token and print it. It can’t be shown again.")

        @Argument(help: "A name by which you recognize the token.")
        var name: String

        @Option(name: .long, help: "The people whose data it may use, separated by commas (default: the only person).")
        var person: String?

        @Option(name: .long, help: "Types it may read, separated by commas.", completion: TypeCompletion.list)
        var read: String?

        @Option(name: .long, help: "Types it may write, separated by commas.", completion: TypeCompletion.list)
        var share: String?

        @Flag(name: .long, help: "Allow it to read every type and to write every type that applications can write.")
        var all = false

        @Option(name: .long, help: "With --read or --all: the start of the history it may read (default: everything).")
        var since: String?

        @Flag(name: .long, help: "Make a token that acts as the person, or as everyone without --person.")
        var owner = false

        @Flag(
            name: .long,
            help:
                "Make a token for a device that syncs: it delivers data of every source. With --read or --all, it also receives these types."
        )
        var sync = false

        @Flag(
            name: .long,
            help: "Make a token for a study: it reads figures over many people, and nothing about a single one.")
        var cohort = false

        @Flag(
            name: .long,
            help:
                "With --cohort: let each request choose among the people, so that two answers can differ by one person."
        )
        var choose = false

        @Flag(
            name: .long,
            help: "With --read, --expires and --url: make a link that shows these types of one person in a browser.")
        var link = false

        @Option(name: .long, help: "With --link: the address of the server.")
        var url: String?

        @Flag(name: .long, help: "Make a token that can only read.")
        var readOnly = false

        @Option(name: .long, help: "When it stops working: a period such as 12h or 90d, or a date (default: never).")
        var expires: String?

        @Option(name: .long, help: "The application’s bundle identifier (default: a generated one).")
        var application: String?

        @Flag(name: .long, help: "Print one JSON value.")
        var json = false

        @OptionGroup var stores: ServedStores

        private struct Answer: Encodable {
            var id: String
            var name: String
            var token: String
            var scope: String
            var bundleIdentifier: String?
            var people: [String]?
            var expires: String?
            var url: String?
        }

        func validate() throws {
            if owner, read != nil || share != nil || all || since != nil || application != nil {
                throw ValidationError(
                    "An owner token acts as the person. Omit --read, --share, --all, --since and --application.")
            }
            if sync, owner || readOnly || share != nil || application != nil {
                throw ValidationError(
                    "A sync token delivers what a device has, and receives the types of --read or --all. Omit all other permissions."
                )
            }
            if cohort,
                owner || sync || readOnly || read != nil || share != nil || all || since != nil || application != nil
            {
                throw ValidationError("A cohort token gets figures over many people. Omit all other permissions.")
            }
            if link, owner || sync || cohort || readOnly || share != nil || all || application != nil {
                throw ValidationError("A link shows the types of --read. Omit all other permissions.")
            }
            if link, read == nil || expires == nil || url == nil {
                throw ValidationError("--link requires --read, --expires and --url.")
            }
            if !link, url != nil { throw ValidationError("--url requires --link.") }
            if choose, !cohort { throw ValidationError("--choose requires --cohort.") }
            if since != nil, read == nil, !all { throw ValidationError("--since requires --read or --all.") }
        }

        func run() throws {
            let directory = StoreDirectory(location: stores.location)
            let issuer = TokenIssuer(location: stores.location)
            defer {
                directory.close()
                issuer.close()
            }
            var people = person.map { $0.split(separator: ",").map(String.init) }
            if people == nil, !owner, !cohort {
                let some = try directory.people(PeopleSelection(limit: 2))
                guard some.count == 1 else {
                    throw UsageError(
                        "The server has \(some.isEmpty ? "no" : "several") people. Name those of the token with --person."
                    )
                }
                people = some.map(\.person)
            }
            var request = TokenIssuer.Request(
                name: name, scope: owner ? .owner : sync ? .sync : cohort ? .cohort : link ? .link : .application,
                people: people)
            request.bundleIdentifier = application
            request.mayChoose = choose
            request.isReadOnly = readOnly
            request.expires = try expires.map(expiry)
            request.grants = TokenGrants(
                // What a device delivers needs no permission, and it writes nothing else.
                read: all ? .all : .some(types(read)), share: all && !sync ? .all : .some(types(share)),
                since: try since.map { try DateArgument().span($0, option: "--since").start })
            let base = try url.map(ServerAddress.url)
            let (secret, token) = try issuer.issue(request)
            let link = base.map { ServerAddress.link(at: $0, secret: secret) }
            if json {
                try JSONOutput.print(
                    Answer(
                        id: token.id, name: token.name, token: secret, scope: token.scope.rawValue,
                        bundleIdentifier: token.bundleIdentifier, people: token.people,
                        expires: token.expires.map(DateOutput(calendar: RangeOptions.machineCalendar).iso), url: link))
            } else {
                print(link ?? secret)
                if Terminal.error.isTerminal {
                    Terminal.printError("This is shown once. Revoke it with “hk token revoke \(token.id)”.\n")
                }
            }
        }

        private func types(_ text: String?) -> [String] {
            (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }

        /// The instant that a period from now or a date describes.
        private func expiry(_ text: String) throws -> Date {
            let units: [Character: Double] = ["h": 3_600, "d": 86_400, "w": 604_800]
            if let letter = text.last, let seconds = units[letter], let count = Int(text.dropLast()), count > 0 {
                return CurrentTime.now.addingTimeInterval(Double(count) * seconds)
            }
            return try DateArgument().span(text, option: "--expires").end
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List tokens with what they may do and when they were used.")

        @Flag(name: .long, help: "Print one JSON value.")
        var json = false

        @Flag(name: .long, help: "List the browsers that are signed in instead of tokens.")
        var browsers = false

        @OptionGroup var stores: ServedStores

        private struct Answer: Encodable {
            struct Permissions: Encodable {
                var person: String
                var read: [String]
                var share: [String]
            }

            var id: String
            var name: String
            var scope: String
            var bundleIdentifier: String?
            var people: [String]?
            var isReadOnly: Bool
            var isExpired: Bool
            var created: String
            var expires: String?
            var lastUsed: String?
            var permissions: [Permissions]
        }

        func run() throws {
            let issuer = TokenIssuer(location: stores.location)
            defer { issuer.close() }
            let registry = AccessRegistry(location: stores.location)
            let tokens = try browsers ? registry.sessions() : registry.tokens()
            let dates = DateOutput(calendar: RangeOptions.machineCalendar)
            func date(_ date: Date) -> String { json ? dates.iso(date) : dates.minute(date) }
            let permissions = try issuer.permissions(of: tokens)
            let answers = tokens.map { token in
                Answer(
                    id: token.id, name: token.name, scope: token.scope.rawValue,
                    bundleIdentifier: token.bundleIdentifier, people: token.people, isReadOnly: token.isReadOnly,
                    isExpired: token.expires.map { $0 <= CurrentTime.now } ?? false, created: date(token.created),
                    expires: token.expires.map(date), lastUsed: token.lastUsed.map(date),
                    permissions: (permissions[token.id] ?? []).map {
                        Answer.Permissions(person: $0.person, read: $0.read, share: $0.share)
                    })
            }
            guard !json else { return try JSONOutput.print(answers) }
            guard !answers.isEmpty else {
                return print(browsers ? "No browser is signed in." : "No tokens yet. Create one with “hk token add”.")
            }
            var table = Table(["id", "name", "people", "may", "expires", "last used"])
            for answer in answers {
                table.add([
                    answer.id, answer.name, answer.people?.joined(separator: ",") ?? "everyone", summary(answer),
                    answer.isExpired ? "expired" : answer.expires ?? "never", answer.lastUsed ?? "never",
                ])
            }
            print(table.text(), terminator: "")
        }

        private func summary(_ answer: Answer) -> String {
            if answer.scope == "cohort" { return "figures over many people" }
            if answer.scope == "sync" { return "send a device’s data" }
            guard answer.scope == "application" || answer.scope == "link" else {
                return answer.isReadOnly ? "read as the person" : "act as the person"
            }
            let (read, share) = (Set(answer.permissions.flatMap(\.read)), Set(answer.permissions.flatMap(\.share)))
            return "read \(TypeName.list(read)), write \(answer.isReadOnly ? "nothing" : TypeName.list(share))"
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revoke a token, or sign a browser out, at once.")

        @Argument(help: "The identifier that “hk token list” shows, or the name if only one token has it.")
        var token: String

        @OptionGroup var stores: ServedStores

        func run() throws {
            let registry = AccessRegistry(location: stores.location)
            guard try registry.session(id: token) == nil else {
                return try registry.endSession(token)
            }
            let found = try registry.token(id: token).map { [$0] } ?? registry.tokens().filter { $0.name == token }
            guard let only = found.first else { throw UsageError("Token “\(token)” not found.") }
            guard found.count == 1 else {
                throw UsageError("\(found.count) tokens have this name. Use the identifier that “hk token list” shows.")
            }
            let issuer = TokenIssuer(location: stores.location)
            defer { issuer.close() }
            try issuer.revoke(only.id)
        }
    }
}
