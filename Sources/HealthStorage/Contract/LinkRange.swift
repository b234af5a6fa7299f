package import HealthModel

/// The links of one owner to members of one type whose sequence numbers follow each other, as databases keep them. The
/// samples of a workout are saved together, so that a few runs replace thousands of rows.
package struct LinkRange: Hashable, Sendable {
    package var owner: Int64
    package var ownerType: TypeCode
    package var memberType: TypeCode
    package var first: Int64
    package var last: Int64

    package init(_ link: StoredLink) {
        owner = link.owner
        ownerType = link.ownerType
        memberType = link.memberType
        first = link.member
        last = link.member
    }

    /// Creates a stored run. Throws `StorageError` `.damaged` if it is too long.
    package init(owner: Int64, ownerType: TypeCode, memberType: TypeCode, first: Int64, last: Int64) throws {
        let (span, overflow) = last.subtractingReportingOverflow(first)
        guard !overflow, (0..<Self.maximumCount).contains(span) else {
            throw StorageError(.damaged, "A stored run of links is out of range.")
        }
        self.owner = owner
        self.ownerType = ownerType
        self.memberType = memberType
        self.first = first
        self.last = last
    }

    /// The maximum number of members. It limits where a run that contains a given member can begin.
    package static let maximumCount: Int64 = 4_096

    /// Classes of runs by their number of members: the search for a member visits only the rows of a class that begin
    /// near enough.
    package enum Reach: Int64, CaseIterable, Sendable {
        case one = 0
        case some = 1
        case many = 2

        /// The maximum number of members of runs of this class.
        package var maximumCount: Int64 {
            switch self {
            case .one: 1
            case .some: 64
            case .many: LinkRange.maximumCount
            }
        }

        package init(count: Int64) {
            self = Self.allCases.first { count <= $0.maximumCount } ?? .many
        }

        /// The first member with which a run of this class that contains `member` can begin.
        package func earliestStart(containing member: Int64) -> Int64 {
            let (start, overflow) = member.subtractingReportingOverflow(maximumCount - 1)
            return overflow ? .min : start
        }
    }

    package var count: Int64 { last - first + 1 }

    package var reach: Reach { Reach(count: count) }

    /// The links, by member.
    package var links: [StoredLink] {
        (first...last).map { StoredLink(owner: owner, ownerType: ownerType, member: $0, memberType: memberType) }
    }

    package func contains(_ member: Int64) -> Bool { first <= member && member <= last }

    package func hasTypes(of other: LinkRange) -> Bool {
        owner == other.owner && ownerType == other.ownerType && memberType == other.memberType
    }

    /// Appends a run that follows directly, and returns whether both fit into one.
    package mutating func append(_ next: LinkRange) -> Bool {
        let (after, overflow) = last.addingReportingOverflow(1)
        guard !overflow, next.first == after, hasTypes(of: next), count + next.count <= Self.maximumCount else {
            return false
        }
        last = next.last
        return true
    }

    /// The parts outside another run's members.
    package func without(_ other: LinkRange) -> [LinkRange] {
        guard first <= other.last, other.first <= last else { return [self] }
        var parts: [LinkRange] = []
        if first < other.first {
            var part = self
            part.last = other.first - 1
            parts.append(part)
        }
        if last > other.last {
            var part = self
            part.first = other.last + 1
            parts.append(part)
        }
        return parts
    }

    /// The runs of an owner's links, by member. Of two links with the same member, the last counts.
    package static func runs(of links: some Sequence<StoredLink>) -> [LinkRange] {
        var links = Array(links)
        // A stable order, so that the last link of a member remains the last.
        if !zip(links, links.dropFirst()).allSatisfy({ $0.member < $1.member }) {
            links = links.enumerated().sorted { ($0.element.member, $0.offset) < ($1.element.member, $1.offset) }.map(
                \.element)
        }
        var runs: [LinkRange] = []
        for link in links {
            let next = LinkRange(link)
            if let previous = runs.last, previous.last == next.first {
                runs.removeLast()
                runs += previous.without(next)
            }
            if runs.isEmpty || !runs[runs.count - 1].append(next) { runs.append(next) }
        }
        return runs
    }

    /// All members of runs in the order of their first members, each once. Runs of several owners may overlap.
    package static func members(of runs: [LinkRange]) -> [Int64] {
        var members: [Int64] = []
        for run in runs {
            var first = run.first
            if let previous = members.last, previous >= first {
                guard previous < run.last else { continue }
                first = previous + 1
            }
            members += first...run.last
        }
        return members
    }
}

/// A snapshot of a database whose links are in a table of ``LinkRange``s.
package protocol LinkRangeSnapshot: StorageSnapshot {
    /// Returns the runs of an owner, by member.
    func linkRanges(ofOwner owner: Int64) throws -> [LinkRange]
    /// Returns the runs that contain a member, by owner.
    func linkRanges(ofMember member: Int64) throws -> [LinkRange]
    /// Returns the runs of an owner that contain some of the members, by member.
    func linkRanges(ofOwner owner: Int64, in members: ClosedRange<Int64>) throws -> [LinkRange]
    /// Returns the runs with members and owners of these types, by member.
    func linkRanges(of memberType: TypeCode, ownerType: TypeCode) throws -> [LinkRange]
}

extension LinkRangeSnapshot {
    package func links(ofOwner owner: Int64) throws -> [StoredLink] {
        try linkRanges(ofOwner: owner).flatMap(\.links)
    }

    package func links(ofMember member: Int64) throws -> [StoredLink] {
        try linkRanges(ofMember: member).map {
            StoredLink(owner: $0.owner, ownerType: $0.ownerType, member: member, memberType: $0.memberType)
        }
    }

    package func linkedMembers(of memberType: TypeCode, ownerType: TypeCode) throws -> [Int64] {
        LinkRange.members(of: try linkRanges(of: memberType, ownerType: ownerType))
    }
}

/// The write transaction of such a database. What adding and removing links does to runs is written here, once for all
/// databases.
package protocol LinkRangeTransaction: LinkRangeSnapshot, StorageTransaction {
    /// Whether an owner has links.
    func hasLinks(_ owner: Int64) throws -> Bool
    /// Inserts a run. No other run of the owner contains one of its members.
    func insert(_ run: LinkRange) throws
    /// Deletes the run of this owner with this first member.
    func delete(_ run: LinkRange) throws
}

extension LinkRangeTransaction {
    package func addLink(_ link: StoredLink) throws { try addLinks([link]) }

    package func addLinks(_ links: [StoredLink]) throws {
        var rest = links[...]
        while let owner = rest.first?.owner {
            let own = rest.prefix { $0.owner == owner }
            rest = rest.dropFirst(own.count)
            let hasLinks = try hasLinks(owner)
            for run in LinkRange.runs(of: own) {
                if hasLinks { try merge(run) } else { try insert(run) }
            }
        }
    }

    package func removeLinks(ofMember member: Int64) throws {
        for run in try linkRanges(ofMember: member) { try remove(member, from: run) }
    }

    package func replaceMember(_ member: Int64, with successor: Int64) throws {
        guard member != successor else { return }
        for run in try linkRanges(ofMember: member) {
            try remove(member, from: run)
            try addLink(
                StoredLink(owner: run.owner, ownerType: run.ownerType, member: successor, memberType: run.memberType))
        }
    }

    /// Inserts a run of an owner that has links, which replaces its links to the same members.
    private func merge(_ run: LinkRange) throws {
        var run = run
        let before = run.first == .min ? run.first : run.first - 1
        for stored in try linkRanges(ofOwner: run.owner, in: before...run.last) {
            if stored.hasTypes(of: run), stored.contains(run.first), stored.contains(run.last) { return }
            var joined = stored
            if joined.append(run) {
                run = joined
                try delete(stored)
            } else if stored.last >= run.first {
                try delete(stored)
                for part in stored.without(run) { try insert(part) }
            }
        }
        try insert(run)
    }

    private func remove(_ member: Int64, from run: LinkRange) throws {
        try delete(run)
        var only = run
        (only.first, only.last) = (member, member)
        for part in run.without(only) { try insert(part) }
    }
}
