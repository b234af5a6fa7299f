package import HealthModel
package import HealthStorage

/// Reads the samples that belong to objects, for many objects at once, so that each page is decoded only once.
package struct MemberReader {
    let snapshot: any StorageSnapshot
    let dictionaries: StoreDictionaries
    let identities: DerivedIdentities
    /// The limits of reading; `nil` for everything.
    let limits: ReadLimits?

    /// Returns an object as a record, as far as it may be read and without its members.
    package func record(of stored: StoredObject) throws -> ObjectRecord {
        var row = ObjectRow(stored, reader: self)
        return try row.record()
    }

    /// Reads the members of every object that may be read, in the order they were saved.
    package func fill(_ objects: inout [ObjectRecord]) throws {
        var links: [[StoredLink]] = []
        var needed: [TypeCode: [Int64]] = [:]
        for object in objects {
            let own = try snapshot.links(ofOwner: object.sequence)
            for link in own { needed[link.memberType, default: []].append(link.member) }
            links.append(own)
        }
        guard !needed.isEmpty else { return }
        var members: [Int64: SampleRecord] = [:]
        let finder = PageFinder(snapshot: snapshot, identities: identities)
        for (type, sequences) in needed where try limits?.scope(of: type) != .nothing {
            let rows = try finder.rows(of: type, sequences: Set(sequences).sorted())
            for row in 0..<rows.count {
                let member = rows.record(at: row, dictionaries: dictionaries, identities: identities)
                if try limits?.includes(member) ?? true { members[rows.sequences[row]] = member }
            }
        }
        for index in objects.indices {
            objects[index].members = links[index].compactMap { members[$0.member] }
        }
    }

    /// Returns the samples of one type that belong to an object and, by index, the quantities of those that consist of
    /// several.
    func figureMembers(
        of owner: Int64, type: TypeCode
    ) throws -> (samples: [SampleRecord], series: [Int: QuantitySeries]) {
        try figures(of: snapshot.links(ofOwner: owner).filter { $0.memberType == type }.map(\.member), type: type)
    }

    /// Returns samples of one type and, by index, the quantities of those that consist of several.
    func figures(
        of sequences: [Int64], type: TypeCode
    ) throws -> (samples: [SampleRecord], series: [Int: QuantitySeries]) {
        guard !sequences.isEmpty else { return ([], [:]) }
        let found = try PageFinder(snapshot: snapshot, identities: identities)
            .rows(of: type, sequences: sequences, columns: [.starts, .ends, .values, .units])
        let withSeries = Set(try QuantitySeriesTable.sequences(of: type, in: snapshot))
        var series: [Int: QuantitySeries] = [:]
        let samples = try (0..<found.count).map { row -> SampleRecord in
            let sequence = found.sequences[row]
            if withSeries.contains(sequence) {
                series[row] = try QuantitySeriesTable.read(
                    of: StoredIdentity(type: type, sequence: sequence), in: snapshot)
            }
            return SampleRecord(
                type: type, start: found.starts[row], end: found.ends[row], value: found.values[row],
                unit: dictionaries.unit(found.units[row]), sequence: sequence)
        }
        return (samples, series)
    }
}

extension MemberReader {
    /// Creates a reader of everything.
    package init(snapshot: any StorageSnapshot, dictionaries: StoreDictionaries, identities: DerivedIdentities) {
        self.init(snapshot: snapshot, dictionaries: dictionaries, identities: identities, limits: nil)
    }
}
