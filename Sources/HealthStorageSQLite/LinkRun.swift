import GRDB
import HealthModel
import HealthStorage

/// The links of one owner to members of one type whose sequence numbers follow each other: a row of the table
/// `link_run`. The samples of a workout are saved together, so that a few runs replace thousands of rows.
struct LinkRun: Hashable {
    var owner: Int64
    var ownerType: TypeCode
    var memberType: TypeCode
    var first: Int64
    var last: Int64

    init(_ link: StoredLink) {
        owner = link.owner
        ownerType = link.ownerType
        memberType = link.memberType
        first = link.member
        last = link.member
    }

    /// The maximum number of members. It limits where a run that contains a given member can begin.
    static let maximumCount: Int64 = 4_096

    /// Classes of runs by their number of members: the search for a member visits only the rows of a class that begin
    /// near enough.
    enum Reach: Int64, CaseIterable {
        case one = 0
        case some = 1
        case many = 2

        /// The maximum number of members of runs of this class.
        var maximumCount: Int64 {
            switch self {
            case .one: 1
            case .some: 64
            case .many: LinkRun.maximumCount
            }
        }

        init(count: Int64) {
            self = Self.allCases.first { count <= $0.maximumCount } ?? .many
        }
    }

    var count: Int64 { last - first + 1 }

    var reach: Reach { Reach(count: count) }

    /// The links, by member.
    var links: [StoredLink] {
        (first...last).map { StoredLink(owner: owner, ownerType: ownerType, member: $0, memberType: memberType) }
    }

    func contains(_ member: Int64) -> Bool { first <= member && member <= last }

    func hasTypes(of other: LinkRun) -> Bool {
        owner == other.owner && ownerType == other.ownerType && memberType == other.memberType
    }

    /// Appends a run that follows directly, and returns whether both fit into one.
    mutating func append(_ next: LinkRun) -> Bool {
        let (after, overflow) = last.addingReportingOverflow(1)
        guard !overflow, next.first == after, hasTypes(of: next), count + next.count <= Self.maximumCount else { return false }
        last = next.last
        return true
    }

    /// The parts outside another run's members.
    func without(_ other: LinkRun) -> [LinkRun] {
        guard first <= other.last, other.first <= last else { return [self] }
        var parts: [LinkRun] = []
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
    static func runs(of links: some Sequence<StoredLink>) -> [LinkRun] {
        var links = Array(links)
        // A stable order, so that the last link of a member remains the last.
        if !zip(links, links.dropFirst()).allSatisfy({ $0.member < $1.member }) {
            links = links.enumerated().sorted { ($0.element.member, $0.offset) < ($1.element.member, $1.offset) }.map(\.element)
        }
        var runs: [LinkRun] = []
        for link in links {
            let next = LinkRun(link)
            if let previous = runs.last, previous.last == next.first {
                runs.removeLast()
                runs += previous.without(next)
            }
            if runs.isEmpty || !runs[runs.count - 1].append(next) { runs.append(next) }
        }
        return runs
    }
}

extension LinkRun {
    /// The columns that ``init(_:)`` reads.
    static let columns = "owner, first_member, last_member, owner_type, member_type"

    /// Reads a row of ``columns``.
    init(_ statement: PreparedStatement) throws {
        owner = statement.integer(0)
        first = statement.integer(1)
        last = statement.integer(2)
        ownerType = TypeCode(rawValue: try statement.number(3))
        memberType = TypeCode(rawValue: try statement.number(4))
        let (span, overflow) = last.subtractingReportingOverflow(first)
        guard !overflow, (0..<Self.maximumCount).contains(span) else {
            throw StorageError(.damaged, "A stored run of links is out of range.")
        }
    }
}
