package import Foundation
package import HealthModel

/// A page in a backend: its key, its bounds, and two opaque byte strings.
package struct StoredPage: Hashable, Sendable {
    /// The page's key.
    package var key: PageKey
    /// The properties by which pages are found. The engine makes them agree with the header.
    package var bounds: PageBounds
    /// The encoded page header.
    package var header: [UInt8]
    /// The encoded columns; empty if they were not requested.
    package var body: [UInt8]
    /// The totals of the samples, if they have one unit and a finite sum. They are written and not read.
    package var summary: PageTotals?

    /// Creates a page row. Backends do not interpret the bytes.
    package init(key: PageKey, bounds: PageBounds, header: [UInt8], body: [UInt8], summary: PageTotals? = nil) {
        self.key = key
        self.bounds = bounds
        self.header = header
        self.body = body
        self.summary = summary
    }
}

/// The position of a page in the tree: its type, and the start and sequence number of its first sample.
package struct PageKey: Hashable, Comparable, Sendable {
    /// The type of the page's samples.
    package var type: TypeCode
    /// The start of the page's first sample, in seconds since 2001.
    package var firstStart: Double
    /// The sequence number of the page's first sample, which distinguishes pages with the same first start.
    package var firstSequence: Int64

    /// Creates the key of a page.
    package init(type: TypeCode, firstStart: Double, firstSequence: Int64) {
        self.type = type
        self.firstStart = firstStart
        self.firstSequence = firstSequence
    }

    package static func < (left: PageKey, right: PageKey) -> Bool {
        (left.type, left.firstStart, left.firstSequence) < (right.type, right.firstStart, right.firstSequence)
    }
}

/// The properties of a page by which a backend finds it.
package struct PageBounds: Hashable, Sendable {
    /// The number of samples; at least 1.
    package var count: Int
    /// The start of the last sample.
    package var lastStart: Double
    /// The maximum end of a sample.
    package var maximumEnd: Double
    /// The minimum sequence number.
    package var minimumSequence: Int64
    /// The maximum sequence number.
    package var maximumSequence: Int64

    /// Creates bounds. They are not compared with the page.
    package init(
        count: Int, lastStart: Double, maximumEnd: Double, minimumSequence: Int64,
        maximumSequence: Int64
    ) {
        self.count = count
        self.lastStart = lastStart
        self.maximumEnd = maximumEnd
        self.minimumSequence = minimumSequence
        self.maximumSequence = maximumSequence
    }
}

/// The location of a page in a backend.
///
/// A writer that replaces a page repeatedly passes the location to the next write, which saves the backend a search.
/// A location is valid for one ``StorageState``, until the page is written again.
package struct PageLocation: Hashable, Sendable {
    /// The page's key.
    package var key: PageKey
    /// The backend's row of the body; `nil` if the body has no row of its own.
    package var body: Int64?
    /// The minimum sequence number.
    package var minimumSequence: Int64
    /// The maximum sequence number.
    package var maximumSequence: Int64

    /// Creates the location of a page that a backend has written or found.
    package init(key: PageKey, body: Int64?, minimumSequence: Int64, maximumSequence: Int64) {
        self.key = key
        self.body = body
        self.minimumSequence = minimumSequence
        self.maximumSequence = maximumSequence
    }
}

/// A page during a visit. The byte ranges belong to the backend and are valid only in the visiting closure.
package struct PageView {
    /// The page's key.
    package let key: PageKey
    /// The properties by which pages are found.
    package let bounds: PageBounds
    /// The encoded page header.
    package let header: UnsafeRawBufferPointer
    /// The encoded columns; empty if they were not requested.
    package let body: UnsafeRawBufferPointer

    /// Creates a view of bytes that remain valid during the visiting closure.
    package init(
        key: PageKey, bounds: PageBounds, header: UnsafeRawBufferPointer,
        body: UnsafeRawBufferPointer
    ) {
        self.key = key
        self.bounds = bounds
        self.header = header
        self.body = body
    }

    /// A copy of the page.
    package var copy: StoredPage {
        StoredPage(key: key, bounds: bounds, header: Array(header), body: Array(body))
    }
}

extension StoredPage {
    /// Calls `visit` with a view of the page, with or without its body.
    package func withView<Value>(bodies: Bool, _ visit: (PageView) throws -> Value) rethrows -> Value {
        try header.withUnsafeBytes { header in
            try body.withUnsafeBytes { body in
                let none = UnsafeRawBufferPointer(start: nil, count: 0)
                return try visit(PageView(key: key, bounds: bounds, header: header, body: bodies ? body : none))
            }
        }
    }
}

/// The pages or objects of a type that a visit includes.
package enum PageWindow: Hashable, Sendable {
    /// All pages or objects.
    case all
    /// Those whose first start is before `startsBefore` and whose maximum end is at or after `endsAtOrAfter`. A
    /// bound of `nil` does not restrict the visit.
    case time(startsBefore: Double?, endsAtOrAfter: Double?)
    /// Those with a sequence number greater than this one.
    case sequencesAfter(Int64)
    /// Those whose range of sequence numbers includes this one.
    case containing(sequence: Int64)
}

/// The search by which a backend finds the pages or objects of a ``PageWindow``.
package enum PageSearch: Sendable {
    /// Those whose first start is in a range and whose maximum end is at or after an instant.
    case starts(ClosedRange<Double>, endsAtOrAfter: Double)
    /// Those with sequence numbers in a range: for a page, its range of sequence numbers overlaps this one.
    case sequences(ClosedRange<Int64>)
}

extension PageWindow {
    /// Returns what to search for; `nil` if nothing can be found.
    ///
    /// - Parameter longest: Returns an upper bound of the length of the type's pages, from first start to maximum end,
    ///   which limits how far before the window the search begins.
    package func search(longest: () throws -> Double) rethrows -> PageSearch? {
        switch self {
        case .all: return .starts(-.infinity ... .infinity, endsAtOrAfter: -.infinity)
        case .time(let startsBefore, let endsAtOrAfter):
            var lowest = -Double.infinity
            if let endsAtOrAfter {
                let longest = try longest()
                let bound = endsAtOrAfter - longest
                // Both the subtraction and the computation of the length may have rounded up.
                lowest = bound - 4 * max(bound.ulp, endsAtOrAfter.ulp, longest.ulp)
                if lowest.isNaN { lowest = -.infinity }
            }
            let highest = startsBefore.map(\.nextDown) ?? .infinity
            guard lowest <= highest else { return nil }
            return .starts(lowest...highest, endsAtOrAfter: endsAtOrAfter ?? -.infinity)
        case .sequencesAfter(let sequence): return sequence < .max ? .sequences(sequence + 1 ... .max) : nil
        case .containing(let sequence): return .sequences(sequence...sequence)
        }
    }

    /// Returns what to search for where nothing is known of lengths; `nil` if nothing can be found.
    package func search() -> PageSearch? { search { .infinity } }
}

/// An object row: any object that is not a page sample.
package struct StoredObject: Hashable, Sendable {
    /// The sequence number, which is the row's key.
    package var sequence: Int64
    /// The UUID given by an app; `nil` if it is derived from the sequence number.
    package var uuid: UUID?
    /// The object's type.
    package var type: TypeCode
    /// Seconds since 2001-01-01 00:00:00 UTC.
    package var start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
    package var end: Double
    /// The number of the source revision in the store's dictionaries.
    package var revision: UInt32
    /// The number of the device in the store's dictionaries; 0 for none.
    package var device: UInt32
    /// Metadata, creation date and body, encoded by HealthPages.
    package var payload: [UInt8]

    /// Creates an object row.
    package init(
        sequence: Int64, uuid: UUID?, type: TypeCode, start: Double, end: Double,
        revision: UInt32, device: UInt32, payload: [UInt8]
    ) {
        self.sequence = sequence
        self.uuid = uuid
        self.type = type
        self.start = start
        self.end = end
        self.revision = revision
        self.device = device
        self.payload = payload
    }
}

/// The sample or object with a given UUID.
package struct StoredIdentity: Hashable, Sendable {
    /// The type of the sample or object.
    package var type: TypeCode
    /// Its sequence number.
    package var sequence: Int64

    /// Creates the identity of a sample or object.
    package init(type: TypeCode, sequence: Int64) {
        self.type = type
        self.sequence = sequence
    }
}

/// A link from an object to a sample it owns, such as a member of a correlation or a sample of a workout.
package struct StoredLink: Hashable, Sendable {
    /// The sequence number of the owner.
    package var owner: Int64
    /// The owner's type.
    package var ownerType: TypeCode
    /// The sequence number of the member.
    package var member: Int64
    /// The member's type.
    package var memberType: TypeCode

    /// Creates a link.
    package init(owner: Int64, ownerType: TypeCode, member: Int64, memberType: TypeCode) {
        self.owner = owner
        self.ownerType = ownerType
        self.member = member
        self.memberType = memberType
    }
}

extension StoredLink {
    /// Creates a link between two samples or objects.
    package init(from owner: StoredIdentity, to member: StoredIdentity) {
        self.init(owner: owner.sequence, ownerType: owner.type, member: member.sequence, memberType: member.type)
    }
}

/// The record of a deleted sample or object.
package struct StoredTombstone: Hashable, Sendable {
    /// The sequence number of the deletion.
    package var sequence: Int64
    /// The type of the deleted sample or object.
    package var type: TypeCode
    /// Its UUID, given or derived.
    package var uuid: UUID
    /// Its sync identifier, if any.
    package var syncIdentifier: String?
    /// Its sync version, if any.
    package var syncVersion: Double?
    /// Its start, end and source revision, by which predicates select deletions; `nil` if unknown. Its value and
    /// metadata are gone.
    package var start: Double?
    package var end: Double?
    package var revision: UInt32?

    /// Creates the record of a deletion.
    package init(
        sequence: Int64, type: TypeCode, uuid: UUID, syncIdentifier: String? = nil,
        syncVersion: Double? = nil, start: Double? = nil, end: Double? = nil, revision: UInt32? = nil
    ) {
        self.start = start
        self.end = end
        self.revision = revision
        self.sequence = sequence
        self.type = type
        self.uuid = uuid
        self.syncIdentifier = syncIdentifier
        self.syncVersion = syncVersion
    }
}

/// The current sample or object with a sync identifier.
package struct StoredSync: Hashable, Sendable {
    /// The scope in which a sync identifier is unique, and the identifier.
    package struct Key: Hashable, Sendable {
        /// The source's bundle identifier.
        package var source: String
        /// The type of the sample or object.
        package var type: TypeCode
        /// The app's own identifier.
        package var identifier: String

        /// Creates a key.
        package init(source: String, type: TypeCode, identifier: String) {
            self.source = source
            self.type = type
            self.identifier = identifier
        }
    }

    /// The sync identifier with its source and type.
    package var key: Key
    /// The stored sync version. Only a greater one replaces it.
    package var version: Double
    /// The sequence number of the sample or object.
    package var sequence: Int64

    /// Creates an entry.
    package init(key: Key, version: Double, sequence: Int64) {
        self.key = key
        self.version = version
        self.sequence = sequence
    }
}

/// The identity that distinguishes a store from all others.
package struct StoreIdentity: Hashable, Sendable {
    /// The UUID in the store's anchors, by which anchors of other stores are recognized.
    package var uuid: UUID
    /// The key of derived UUIDs. It never changes.
    package var seed: UInt64

    /// Creates an identity. A new store has a random one.
    package init(uuid: UUID, seed: UInt64) {
        self.uuid = uuid
        self.seed = seed
    }
}

/// The totals of a page's samples, for backends that add up pages where they are stored. The engine derives them
/// from the page's header; see `PageHeader` for the meaning of the figures.
package struct PageTotals: Hashable, Sendable {
    /// The number of the samples' only unit; 0 means none.
    package var unit: UInt32
    /// The numbers of the source revisions, in ascending order.
    package var revisions: [UInt32]
    /// The bits of the properties that at least one of the samples has.
    package var traits: UInt8
    /// The sum of the values, which is finite.
    package var sum: Double
    /// The minimum value.
    package var minimum: Double
    /// The maximum value.
    package var maximum: Double
    /// The sum of value times duration.
    package var weightedSum: Double
    /// The sum of the samples' durations in seconds.
    package var totalDuration: Double
    /// The number of seconds covered by samples.
    package var coveredDuration: Double
    /// The value of the most recent sample.
    package var latestValue: Double
    /// The start of the most recent sample.
    package var latestStart: Double
    /// The end of the most recent sample.
    package var latestEnd: Double

    /// Creates a summary.
    package init(
        unit: UInt32, revisions: [UInt32], traits: UInt8, sum: Double, minimum: Double, maximum: Double,
        weightedSum: Double,
        totalDuration: Double, coveredDuration: Double, latestValue: Double, latestStart: Double, latestEnd: Double
    ) {
        self.unit = unit
        self.revisions = revisions
        self.traits = traits
        self.sum = sum
        self.minimum = minimum
        self.maximum = maximum
        self.weightedSum = weightedSum
        self.totalDuration = totalDuration
        self.coveredDuration = coveredDuration
        self.latestValue = latestValue
        self.latestStart = latestStart
        self.latestEnd = latestEnd
    }
}

/// Either a page or several neighboring ones that a backend has added up.
package struct PageGroup: Hashable, Sendable {
    /// The header of a page, or the sums over several.
    package enum Content: Hashable, Sendable {
        /// The encoded header of the only page.
        case header([UInt8])
        /// The sums over the pages, which have equal units, revisions and traits.
        case summary(PageTotals)
    }

    /// The key of the first page.
    package var key: PageKey
    /// The bounds of all samples.
    package var bounds: PageBounds
    /// The header of the page, or the sums over the pages.
    package var content: Content

    /// Creates a group.
    package init(key: PageKey, bounds: PageBounds, content: Content) {
        self.key = key
        self.bounds = bounds
        self.content = content
    }
}
