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
        for record in batch.objects {
            objects.append(try prepare(record, &interner, pending: &pending))
        }
        for part in batch.parts {
            guard batch.objects.indices.contains(part.owner) else {
                throw EngineError.invalidArgument("The batch contains a part of an object that it does not contain.")
            }
            var object = try prepare(part.object, &interner, pending: &pending)
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
        _ record: ObjectRecord, _ interner: inout DictionaryInterner, pending: inout PendingCommit
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
        var recorded = (revision: record.revision, device: record.device)
        // The last member of each type: thousands of a workout have one unit and source.
        var last: [TypeCode: BulkObject.Member] = [:]
        object.members.reserveCapacity(record.members.count)
        for member in record.members {
            if var like = last[member.type], member.hasNumbers(of: like.record), member.isInOrder {
                like.record = member
                object.members.append(like)
                continue
            }
            let memberDescription = try describe(member.type)
            guard memberDescription.kind.isPaged, member.isInOrder
            else { throw EngineError.invalidArgument("The batch contains a member that is not a sample.") }
            guard let memberRevision = member.revision ?? record.revision else {
                throw EngineError.invalidArgument("The batch contains a member without a source.")
            }
            if memberRevision != recorded.revision || member.device != recorded.device {
                try engine.recordKind(
                    revision: memberRevision, device: member.device, in: transaction, pending: &pending)
                recorded = (memberRevision, member.device)
            }
            let numbered = BulkObject.Member(
                record: member, type: memberDescription.code, unit: try interner.number(unit: member.unit),
                revision: try interner.number(memberRevision), device: try interner.number(member.device))
            object.members.append(numbered)
            last[member.type] = numbered
        }
        return object
    }

    // MARK: - Stored objects

    /// Marks objects that were stored before the import. Each stored object matches at most one of the batch.
    private mutating func findStored(_ objects: inout [BulkObject], pending: inout PendingCommit) throws {
        try findGivenUUIDs(&objects)
        let transaction = transaction
        let before = before
        for type in Set(objects.map(\.type)).sorted() {
            let had = try matchState.hadObjects(of: type) {
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
    }

    private mutating func findGivenUUIDs(_ objects: inout [BulkObject]) throws {
        let finder = PageFinder(snapshot: transaction, identities: identities)
        for index in objects.indices {
            guard let uuid = objects[index].record.uuid, let stored = try finder.locate(uuid) else {
                continue
            }
            _ = matchState.match(stored.sequence, of: stored.type)
            objects[index].isDone = true
            objects[index].sequence = stored.sequence
            alreadyThere[objects[index].type, default: 0] += 1
        }
    }

    /// The objects that were stored before the import, by start.
    func candidates(startingAt starts: Set<Double>, of type: TypeCode) throws -> [Double: [StoredObject]] {
        guard let first = starts.min(), let last = starts.max() else { return [:] }
        var candidates: [Double: [StoredObject]] = [:]
        try transaction.visitObjects(of: type, in: .time(startsBefore: last.nextUp, endsAtOrAfter: first)) { object in
            if object.sequence <= before, starts.contains(object.start) {
                candidates[object.start, default: []].append(object)
            }
            return true
        }
        return candidates
    }

    private mutating func findStored(
        _ objects: inout [BulkObject], at places: [Int], type: TypeCode, pending: inout PendingCommit
    ) throws {
        let candidates = try candidates(startingAt: Set(places.map { objects[$0].record.start }), of: type)
        guard !candidates.isEmpty else { return }
        try extendClasses(
            revisions: places.map { objects[$0].revision }, devices: places.map { objects[$0].device },
            units: places.flatMap { objects[$0].members.map(\.unit) })
        let memberships = try storedMembers(of: candidates.values.flatMap { $0 })
        for place in places {
            let object = objects[place]
            let match = candidates[object.record.start]?.first { stored in
                object.payload == stored.payload && matchState.isFree(stored.sequence, of: type)
                    && hasFrame(object, of: stored)
                    && (!object.isCorrelation || object.memberCounts(classes) == memberships[stored.sequence] ?? [:])
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
            let members = object.memberCounts(classes)
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
        let types = Set(object.members.map(\.type))
        if !types.isEmpty {
            for link in try transaction.links(ofOwner: match.sequence) where types.contains(link.memberType) {
                count(member: link.member, of: link.memberType)
            }
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
        objects[place].members.removeAll { member in
            let key = BulkObject.MemberKey(member, classes)
            guard let count = present[key], count > 0 else { return false }
            present[key] = count - 1
            return true
        }
        objects[place].isDone = false
        pending.types.insert(match.type)
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
        guard let type = owners.first?.type,
            TypeCatalog.description(for: type)?.kind == .correlation
                || batch.objects.contains(where: { !$0.members.isEmpty })
        else { return [:] }
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
        var places = objects.map { object in
            [StoredIdentity?](repeating: nil, count: object.members.count)
        }
        var byType: [TypeCode: [MemberPlace]] = [:]
        for (object, record) in objects.enumerated() {
            for (position, member) in record.members.enumerated() {
                byType[member.type, default: []].append(
                    MemberPlace(object: object, position: position, isShared: !record.isCorrelation))
            }
        }
        for (type, members) in byType.sorted(by: { $0.key < $1.key }) {
            for (place, sequence) in try place(members, in: objects, of: type, pending: &pending) {
                count(member: sequence, of: type)
                places[place.object][place.position] = StoredIdentity(type: type, sequence: sequence)
            }
        }
        return places.map { $0.compactMap { $0 } }
    }

    /// Counts a member that was stored before the import, unless a sample of the archive has been counted for it.
    private mutating func count(member sequence: Int64, of type: TypeCode) {
        if matchState.countMember(sequence) { alreadyThere[type, default: 0] += 1 }
    }

    /// One member of one object.
    private struct MemberPlace {
        var object: Int
        var position: Int
        /// Whether the sample can belong to other objects as well: to several workouts, but to one correlation only.
        var isShared: Bool

        func member(in objects: [BulkObject]) -> BulkObject.Member { objects[object].members[position] }
    }

    /// Places members of one type.
    private mutating func place(
        _ members: [MemberPlace], in objects: [BulkObject], of type: TypeCode, pending: inout PendingCommit
    ) throws -> [(MemberPlace, Int64)] {
        let starts = members.map { $0.member(in: objects).record.start }
        let ordered = members.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }.map { members[$0] }
        let columns = Self.columns(ordered, in: objects, type: type)
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

        let (missing, shared) = membersToAdd(ordered, in: objects, sequences)
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
        _ members: [MemberPlace], in objects: [BulkObject], _ sequences: [Int64]
    ) -> (missing: [Int], shared: [Int: Int]) {
        let rows = sequences.indices.filter { sequences[$0] == 0 }
        guard rows.contains(where: { members[$0].isShared }),
            members.contains(where: { $0.object != members[0].object })
        else { return (rows, [:]) }
        var others: [BulkObject.MemberKey: [Int]] = [:]
        for row in members.indices where sequences[row] != 0 && members[row].isShared {
            others[.init(members[row].member(in: objects), classes), default: []].append(row)
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
            let key = BulkObject.MemberKey(members[row].member(in: objects), classes)
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

    private static func columns(
        _ members: [MemberPlace], in objects: [BulkObject], type: TypeCode
    ) -> SampleColumns {
        var builder = ColumnsBuilder(type: type)
        for place in members {
            let member = place.member(in: objects)
            builder.append(
                member.record, unit: member.unit, revision: member.revision, device: member.device, sequence: 0)
        }
        return builder.ordered()
    }
}

extension ActivitySummaryBody {
    /// Year · 10000 + month · 100 + day.
    var dayNumber: Int { year * 10_000 + month * 100 + day }
}

extension SampleRecord {
    /// Whether the dates are those of a sample.
    fileprivate var isInOrder: Bool { start <= end && start.isFinite && end.isFinite }

    /// Whether a store has the unit, source and device of this sample under the same numbers as another one's.
    fileprivate func hasNumbers(of other: SampleRecord) -> Bool {
        unit == other.unit && revision == other.revision && device == other.device
    }
}
