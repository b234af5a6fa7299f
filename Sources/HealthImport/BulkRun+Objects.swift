import HealthEngine
import HealthModel
import HealthPages
import HealthStorage

extension BulkRun {
    /// Writes the batch's objects that are not stored yet.
    mutating func writeObjects(pending: inout PendingCommit) throws {
        guard !batch.objects.isEmpty else { return }
        var interner = DictionaryInterner(transaction)
        var objects: [BulkObject] = []
        objects.reserveCapacity(batch.objects.count)
        let series = Dictionary(grouping: batch.members, by: \.owner)
        guard series.keys.allSatisfy(batch.objects.indices.contains) else {
            throw EngineError.invalidArgument("The batch contains members of an object that it does not contain.")
        }
        for (index, record) in batch.objects.enumerated() {
            objects.append(try prepare(record, series[index] ?? [], &interner, pending: &pending))
        }
        for part in batch.parts {
            guard batch.objects.indices.contains(part.owner) else {
                throw EngineError.invalidArgument("The batch contains a part of an object that it does not contain.")
            }
            var object = try prepare(part.object, [], &interner, pending: &pending)
            object.owner = part.owner
            objects.append(object)
        }
        try findStored(&objects, pending: &pending)
        try findByAlternateTypes(&objects, pending: &pending)
        try writeSummaries(&objects, pending: &pending)
        try writeNew(&objects, pending: &pending)
        try linkParts(objects, pending: &pending)
        try writeAttachments(of: objects)
    }

    /// Writes new objects with the links to their members, and the missing members of stored ones.
    private mutating func writeNew(_ objects: inout [BulkObject], pending: inout PendingCommit) throws {
        let places = objects.indices.filter { !objects[$0].isDone }
        guard !places.isEmpty else { return }
        let hasMembers = places.contains { !objects[$0].members.isEmpty }
        let members = hasMembers ? try placeMembers(of: places.map { objects[$0] }, pending: &pending) : []
        let count = places.count { objects[$0].sequence == nil }
        var next = count > 0 ? try allocateSequences(count, pending: &pending) : 0
        for (index, place) in places.enumerated() {
            let type = objects[place].type
            let sequence = objects[place].sequence ?? next
            if objects[place].sequence == nil {
                objects[place].sequence = sequence
                next += 1
                try transaction.putObject(objects[place].stored(sequence: sequence))
                added[type, default: 0] += 1
            }
            if hasMembers {
                let owner = StoredIdentity(type: type, sequence: sequence)
                try transaction.addLinks(members[index].map { StoredLink(from: owner, to: $0) })
            }
        }
    }

    /// Links new and stored parts to their owners.
    private func linkParts(_ objects: [BulkObject], pending: inout PendingCommit) throws {
        for part in objects[batch.objects.count...] {
            guard let place = part.owner, let owner = objects[place].sequence, let sequence = part.sequence else {
                continue
            }
            if part.isDone, try transaction.links(ofMember: sequence).contains(where: { $0.owner == owner }) {
                continue
            }
            try transaction.addLink(
                StoredLink(owner: owner, ownerType: objects[place].type, member: sequence, memberType: part.type))
            pending.types.insert(objects[place].type)
        }
    }

    /// Translates an object into the store's numbers.
    private mutating func prepare(
        _ record: ObjectRecord, _ series: [BulkBatch.Members], _ interner: inout DictionaryInterner,
        pending: inout PendingCommit
    ) throws -> BulkObject {
        let description = try describe(record.type)
        guard !description.kind.isPaged, description.kind != .characteristic else {
            throw EngineError.invalidArgument("The batch contains an object of a type that has no objects.")
        }
        guard record.start <= record.end, record.start.isFinite, record.end.isFinite else {
            throw EngineError.invalidArgument("The batch contains an object that ends before it starts.")
        }
        // Activity summaries and some documents of an archive have no source.
        if let revision = record.revision {
            try engine.recordKind(revision: revision, device: record.device, in: transaction, pending: &pending)
        }
        var object = BulkObject(
            record: record, type: description.code, isCorrelation: description.kind == .correlation,
            revision: try interner.number(record.revision), device: try interner.number(record.device),
            payload: ObjectCoder.encode(metadata: record.metadata, creation: record.creation, body: record.body))
        object.members = try addMembers(of: record, series, &interner, pending: &pending)
        return object
    }

    /// Adds the members of an object to those of the batch.
    ///
    /// - Returns: Their rows by type.
    private mutating func addMembers(
        of record: ObjectRecord, _ series: [BulkBatch.Members], _ interner: inout DictionaryInterner,
        pending: inout PendingCommit
    ) throws -> [TypeCode: Range<Int>] {
        var first: [TypeCode: Int] = [:]
        var recorded = (revision: record.revision, device: record.device)
        // The last member of each type: thousands of a workout have one unit and source.
        var last: [TypeCode: NumberedMember] = [:]
        for (place, member) in record.members.enumerated() {
            guard member.isInOrder else { throw Self.noSample }
            let numbered: NumberedMember
            if let like = last[member.type], member.hasNumbers(of: like.record) {
                numbered = like
            } else {
                let description = try describe(member.type)
                guard description.kind.isPaged else { throw Self.noSample }
                guard let revision = member.revision ?? record.revision else {
                    throw EngineError.invalidArgument("The batch contains a member without a source.")
                }
                if revision != recorded.revision || member.device != recorded.device {
                    try engine.recordKind(revision: revision, device: member.device, in: transaction, pending: &pending)
                    recorded = (revision, member.device)
                }
                numbered = NumberedMember(
                    record: member, type: description.code, unit: try interner.number(unit: member.unit),
                    revision: try interner.number(revision), device: try interner.number(member.device))
                last[member.type] = numbered
                first[numbered.type] = first[numbered.type] ?? members[numbered.type]?.places.count ?? 0
            }
            members[numbered.type, default: BulkMembers(type: numbered.type)].append(
                member, unit: numbered.unit, revision: numbered.revision, device: numbered.device, place: place)
        }
        var place = record.members.count
        for samples in series.map(\.columns) {
            let description = try describe(samples.type)
            guard description.kind.isPaged else { throw Self.noSample }
            let type = description.code
            first[type] = first[type] ?? members[type]?.places.count ?? 0
            members[type, default: BulkMembers(type: type)].append(try prepare(samples, type: type), place: place)
            place += samples.starts.count
        }
        return Dictionary(
            uniqueKeysWithValues: first.map { type, row in (type, row..<(members[type]?.places.count ?? row)) })
    }

    private static let noSample = EngineError.invalidArgument("The batch contains a member that is not a sample.")

    /// A member and its numbers in the store.
    private struct NumberedMember {
        var record: SampleRecord
        var type: TypeCode
        var unit: UInt32
        var revision: UInt32
        var device: UInt32
    }

    // MARK: - Stored objects

    /// Marks objects that were stored before the import. Each stored object matches at most one of the batch.
    private mutating func findStored(_ objects: inout [BulkObject], pending: inout PendingCommit) throws {
        try findGivenUUIDs(&objects)
        let transaction = transaction
        let before = before
        for type in Set(objects.map(\.type)).sorted() {
            let had = try matchState.hadContents(of: type) {
                var found = false
                try transaction.visitObjects(of: type, in: .all) { object in
                    found = object.sequence <= before
                    return !found
                }
                return found
            }
            guard had else { continue }
            let places = objects.indices.filter { objects[$0].type == type && !objects[$0].isDone }
            try findStored(&objects, at: places, type: type, pending: &pending)
        }
        // Of a corrected workout, the store has what the person has left of its routes.
        for place in objects.indices where objects[place].owner.map(corrected.contains) ?? false {
            guard !objects[place].isDone else { continue }
            objects[place].isDone = true
            alreadyThere[objects[place].type, default: 0] += 1
        }
    }

    private mutating func findGivenUUIDs(_ objects: inout [BulkObject]) throws {
        let finder = PageFinder(snapshot: transaction, identities: identities)
        func isIdentified(_ object: BulkObject) -> Bool {
            object.record.uuid != nil && TypeCatalog.description(for: object.type)?.kind == .workout
        }
        let originals =
            objects.contains(where: isIdentified)
            ? Dictionary(
                try corrections().map { ($0.original.uuid, $0.corrected) }, uniquingKeysWith: { first, _ in first })
            : [:]
        for index in objects.indices {
            guard let uuid = objects[index].record.uuid else { continue }
            let stored: StoredIdentity
            if let known = try finder.locate(uuid) {
                stored = known
            } else if let workout = originals[uuid] {
                stored = StoredIdentity(type: workout.type, sequence: workout.sequence)
                corrected.insert(index)
            } else {
                continue
            }
            _ = matchState.match(stored.sequence, of: stored.type)
            objects[index].isDone = true
            objects[index].sequence = stored.sequence
            alreadyThere[objects[index].type, default: 0] += 1
        }
    }

    /// The objects that were stored before the import, by start. Corrected workouts are among them as they were.
    mutating func candidates(startingAt starts: Set<Double>, of type: TypeCode) throws -> [Double: [StoredObject]] {
        guard let first = starts.min(), let last = starts.max() else { return [:] }
        var candidates: [Double: [StoredObject]] = [:]
        try transaction.visitObjects(of: type, in: .time(startsBefore: last.nextUp, endsAtOrAfter: first)) { object in
            if object.sequence <= before, starts.contains(object.start) {
                candidates[object.start, default: []].append(object)
            }
            return true
        }
        guard TypeCatalog.description(for: type)?.kind == .workout else { return candidates }
        for (original, object) in try corrections() {
            correctedWorkouts.insert(object.sequence)
            guard object.sequence <= before, starts.contains(original.start) else { continue }
            candidates[original.start, default: []].append(original.restored(object))
        }
        return candidates
    }

    private mutating func corrections() throws -> [(original: OriginalWorkout, corrected: StoredObject)] {
        let transaction = transaction
        return try matchState.corrections { try OriginalWorkout.all(in: transaction) }
    }

    private mutating func findStored(
        _ objects: inout [BulkObject], at places: [Int], type: TypeCode, pending: inout PendingCommit
    ) throws {
        let candidates = try candidates(startingAt: Set(places.map { objects[$0].record.start }), of: type)
        guard !candidates.isEmpty else { return }
        try extendClasses(revisions: places.map { objects[$0].revision }, devices: places.map { objects[$0].device })
        let hasCorrelations = places.contains { objects[$0].isCorrelation }
        if hasCorrelations { for members in members.values { try extendClasses(of: members.columns) } }
        let memberships = hasCorrelations ? try storedMembers(of: candidates.values.flatMap { $0 }) : [:]
        for place in places {
            let object = objects[place]
            let match = candidates[object.record.start]?.first { stored in
                object.payload == stored.payload && matchState.isFree(stored.sequence, of: type)
                    && hasFrame(object, of: stored)
                    && (!object.isCorrelation || memberCounts(of: object) == memberships[stored.sequence] ?? [:])
            }
            if let match { try take(match, for: place, of: &objects, pending: &pending) }
        }
        // Objects that are alike only in part take none of those that are equal in all.
        let rest = places.filter { !objects[$0].isDone && candidates[objects[$0].record.start] != nil }
        guard !rest.isEmpty else { return }
        var known: [ComparableObject.Key: [(object: ComparableObject, stored: StoredObject)]] = [:]
        for start in Set(rest.map { objects[$0].record.start }) {
            for stored in candidates[start] ?? [] where matchState.isFree(stored.sequence, of: type) {
                let object = try ComparableObject(stored, frame(of: stored))
                known[object.key, default: []].append((object, stored))
            }
        }
        for place in rest {
            let object = objects[place]
            let comparable = ComparableObject(object.record, type: type, frame(of: object))
            let alike = (known[comparable.key] ?? []).filter {
                matchState.isFree($0.stored.sequence, of: type) && comparable.isAlike($0.object)
            }.map(\.stored)
            guard object.isCorrelation else {
                if let match = alike.first { try take(match, for: place, of: &objects, pending: &pending) }
                continue
            }
            guard !alike.isEmpty else { continue }
            let members = memberCounts(of: object)
            if let match = alike.first(where: {
                BulkObject.MemberKey.areAlike(members, memberships[$0.sequence] ?? [:], units: units)
            }) {
                try take(match, for: place, of: &objects, pending: &pending)
            } else if let match = alike.first(where: {
                (memberships[$0.sequence] ?? [:]).allSatisfy { $1 <= members[$0] ?? 0 }
            }) {
                try complete(match, memberships[match.sequence] ?? [:], for: place, of: &objects, pending: &pending)
            }
        }
    }

    /// Marks an object of the batch as stored. The stored one gains what it lacks.
    private mutating func take(
        _ match: StoredObject, for place: Int, of objects: inout [BulkObject], pending: inout PendingCommit
    ) throws {
        let object = objects[place]
        _ = matchState.match(match.sequence, of: object.type)
        objects[place].isDone = true
        objects[place].sequence = match.sequence
        alreadyThere[object.type, default: 0] += 1
        // Samples that are only written as a part of the object are there with it.
        if !object.members.isEmpty {
            for link in try transaction.links(ofOwner: match.sequence)
            where object.members[link.memberType] != nil {
                count(member: link.member, of: link.memberType)
            }
        }
        if correctedWorkouts.contains(match.sequence) {
            corrected.insert(place)
            return
        }
        let hasParts = batch.parts.contains { $0.owner == place }
        guard
            let payload = try ObjectEquivalence.replacement(
                match.payload, newer: object.record, payload: object.payload, hasParts: hasParts)
        else { return }
        var stored = match
        stored.payload = payload
        try transaction.putObject(stored)
        pending.types.insert(object.type)
    }

    /// Prepares a correlation of which some members have been deleted since it was stored: only those are written.
    private mutating func complete(
        _ match: StoredObject, _ stored: [BulkObject.MemberKey: Int], for place: Int, of objects: inout [BulkObject],
        pending: inout PendingCommit
    ) throws {
        try take(match, for: place, of: &objects, pending: &pending)
        var present = stored
        for (type, rows) in objects[place].members {
            for row in rows {
                guard let key = memberKey(row, of: type), let count = present[key], count > 0 else { continue }
                present[key] = count - 1
                members[type]?.stored.insert(row)
            }
        }
        objects[place].isDone = false
        pending.types.insert(match.type)
    }

    /// The number of occurrences of each member.
    private func memberCounts(of object: BulkObject) -> [BulkObject.MemberKey: Int] {
        var counts: [BulkObject.MemberKey: Int] = [:]
        for (type, rows) in object.members {
            for key in rows.compactMap({ memberKey($0, of: type) }) { counts[key, default: 0] += 1 }
        }
        return counts
    }

    private func memberKey(_ row: Int, of type: TypeCode) -> BulkObject.MemberKey? {
        members[type].map { BulkObject.MemberKey($0.columns, row: row, classes) }
    }

    private func frame(of object: BulkObject) -> ComparableObject.Frame {
        .init(
            start: object.record.start, end: object.record.end, revision: classes.revisionClass(object.revision),
            device: classes.deviceClass(object.device))
    }

    private func frame(of stored: StoredObject) -> ComparableObject.Frame {
        .init(
            start: stored.start, end: stored.end, revision: classes.revisionClass(stored.revision),
            device: classes.deviceClass(stored.device))
    }

    private func hasFrame(_ object: BulkObject, of stored: StoredObject) -> Bool {
        object.record.end == stored.end
            && classes.revisionClass(object.revision) == classes.revisionClass(stored.revision)
            && classes.deviceClass(object.device) == classes.deviceClass(stored.device)
    }

    /// Whether objects of equal start are the same.
    func isEqual(_ object: BulkObject, _ stored: StoredObject) throws -> Bool {
        guard hasFrame(object, of: stored) else { return false }
        if object.payload == stored.payload { return true }
        let other = try ComparableObject(stored, frame(of: stored))
        let comparable = ComparableObject(object.record, type: stored.type, frame(of: object))
        return comparable.key == other.key && comparable.isAlike(other)
    }

    /// The members of stored correlations by content, by owner.
    private mutating func storedMembers(
        of owners: [StoredObject]
    ) throws -> [Int64: [BulkObject.MemberKey: Int]] {
        let links = try owners.flatMap { try transaction.links(ofOwner: $0.sequence) }
        var contents: [Int64: BulkObject.MemberKey] = [:]
        let finder = PageFinder(snapshot: transaction, identities: identities)
        for (type, links) in Dictionary(grouping: links, by: \.memberType) {
            let rows = try finder.rows(
                of: type, sequences: Set(links.map(\.member)).sorted(),
                columns: [.ends, .values, .units, .revisions, .devices])
            try extendClasses(of: rows)
            for row in rows.sequences.indices {
                contents[rows.sequences[row]] = BulkObject.MemberKey(rows, row: row, classes)
            }
        }
        var counts: [Int64: [BulkObject.MemberKey: Int]] = [:]
        for link in links {
            guard let key = contents[link.member] else { continue }
            counts[link.owner, default: [:]][key, default: 0] += 1
        }
        return counts
    }

    // MARK: - Activity summaries

    /// Writes activity summaries, one per day. Of several in the batch, the last counts. A new one replaces a stored
    /// one, unless that is from an archive that was exported later (see ``SummaryWriter``).
    private mutating func writeSummaries(
        _ objects: inout [BulkObject], pending: inout PendingCommit
    ) throws {
        var last: [Int: Int] = [:]
        for index in objects.indices {
            if let day = objects[index].summaryDay { last[day] = index }
        }
        guard objects.contains(where: { $0.summaryDay != nil && !$0.isDone }) else { return }
        var writer = try SummaryWriter(of: Set(objects.filter { $0.summaryDay != nil }.map(\.type)), in: transaction)
        for index in objects.indices {
            guard !objects[index].isDone, let day = objects[index].summaryDay else { continue }
            let object = objects[index]
            objects[index].isDone = true
            guard last[day] == index else { continue }
            if let present = writer[day] {
                let isLater =
                    !batch.replacesLaterSummaries
                    && writer.isLater(than: batch.exportDate, dayStart: object.record.start)
                if isLater || object.payload == present.payload {
                    _ = matchState.match(present.sequence, of: object.type)
                    alreadyThere[object.type, default: 0] += 1
                    continue
                }
            }
            try writer.write(
                object.stored(sequence: 0), day: day, dayStart: object.record.start, exported: batch.exportDate,
                pending: &pending)
            added[object.type, default: 0] += 1
        }
        try writer.finish()
    }

    // MARK: - Members

    /// Returns the locations of each object's members: stored samples of equal content that do not belong to a
    /// correlation yet, or newly added samples.
    private mutating func placeMembers(
        of objects: [BulkObject], pending: inout PendingCommit
    ) throws -> [[StoredIdentity]] {
        var found = objects.map { [StoredIdentity?](repeating: nil, count: $0.memberCount) }
        for (type, members) in members.sorted(by: { $0.key < $1.key }) {
            var rows: [MemberRow] = []
            for (index, object) in objects.enumerated() {
                for row in object.members[type] ?? 0..<0 where !members.stored.contains(row) {
                    rows.append(MemberRow(row: row, object: index, isShared: !object.isCorrelation))
                }
            }
            guard !rows.isEmpty else { continue }
            for (row, sequence) in try place(rows, of: members.columns, pending: &pending) {
                count(member: sequence, of: type)
                found[row.object][members.places[row.row]] = StoredIdentity(type: type, sequence: sequence)
            }
        }
        return found.map { $0.compactMap { $0 } }
    }

    /// Counts a member that was stored before the import, unless a sample of the archive has been counted for it.
    private mutating func count(member sequence: Int64, of type: TypeCode) {
        if matchState.countMember(sequence) { alreadyThere[type, default: 0] += 1 }
    }

    /// One member of one object.
    private struct MemberRow {
        /// Its row among the batch's members of the type.
        var row: Int
        var object: Int
        /// Whether the sample can belong to other objects as well: to several workouts, but to one correlation only.
        var isShared: Bool
    }

    /// Places members of one type.
    private mutating func place(
        _ members: [MemberRow], of all: SampleColumns, pending: inout PendingCommit
    ) throws -> [(MemberRow, Int64)] {
        let ordered = members.sorted { (all.starts[$0.row], $0.row) < (all.starts[$1.row], $1.row) }
        let columns = all.permuted(by: ordered.map { Int32($0.row) })
        let type = columns.type
        try extendClasses(of: columns)

        var sequences = Array(repeating: Int64(0), count: ordered.count)
        var used: Set<Int64> = []
        let matcher = ContentMatcher(columns, classes: classes, strictness: .member, units: units)
        var isMatched = Array(repeating: false, count: ordered.count)
        try matcher.match(
            in: transaction, isMatched: &isMatched, isCandidate: { _ in true }, acceptRun: { _ in 0 },
            accept: { row, sequence in
                guard !used.contains(sequence), try !belongsToCorrelation(sequence) else {
                    return false
                }
                used.insert(sequence)
                sequences[row] = sequence
                return true
            })

        let (missing, shared) = membersToAdd(ordered, columns, sequences)
        if !missing.isEmpty {
            let new = columns.permuted(by: missing.map(Int32.init))
            let run = try add(new, pending: &pending)
            for (index, row) in missing.enumerated() {
                sequences[row] = run.lowerBound + Int64(index)
                matchState.addMember(sequences[row], of: type)
            }
        }
        for (row, other) in shared { sequences[row] = sequences[other] }
        return Array(zip(ordered, sequences))
    }

    /// Divides the members that no stored sample has been found for into those that are to be added, and those that are
    /// the same sample as another object's member.
    private func membersToAdd(
        _ members: [MemberRow], _ columns: SampleColumns, _ sequences: [Int64]
    ) -> (missing: [Int], shared: [Int: Int]) {
        let rows = sequences.indices.filter { sequences[$0] == 0 }
        guard rows.contains(where: { members[$0].isShared }),
            members.contains(where: { $0.object != members[0].object })
        else { return (rows, [:]) }
        var others: [BulkObject.MemberKey: [Int]] = [:]
        for row in members.indices where sequences[row] != 0 && members[row].isShared {
            others[.init(columns, row: row, classes), default: []].append(row)
        }
        var (missing, shared): ([Int], [Int: Int]) = ([], [:])
        // An object's own members are different samples, even if they are equal: each takes the next of the others.
        var next: [Int: [BulkObject.MemberKey: Int]] = [:]
        for row in rows {
            guard members[row].isShared else {
                missing.append(row)
                continue
            }
            let object = members[row].object
            let key = BulkObject.MemberKey(columns, row: row, classes)
            let equal = others[key] ?? []
            let place = equal[(next[object]?[key] ?? 0)...].firstIndex { members[$0].object != object }
            next[object, default: [:]][key] = (place ?? equal.endIndex) + 1
            if let place {
                shared[row] = equal[place]
            } else {
                missing.append(row)
                others[key, default: []].append(row)
            }
        }
        return (missing, shared)
    }

    private func belongsToCorrelation(_ sequence: Int64) throws -> Bool {
        try transaction.links(ofMember: sequence).contains {
            // A type outside the catalog owns members only if it was imported as a correlation.
            TypeCatalog.description(for: $0.ownerType)?.kind ?? .correlation == .correlation
        }
    }
}

extension SampleRecord {
    /// Whether the dates are those of a sample.
    fileprivate var isInOrder: Bool { start <= end && start.isFinite && end.isFinite }

    /// Whether a store has the unit, source and device of this sample under the same numbers as another one's.
    fileprivate func hasNumbers(of other: SampleRecord) -> Bool {
        unit == other.unit && revision == other.revision && device == other.device
    }
}
