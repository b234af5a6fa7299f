import HealthModel
import HealthPages
import HealthStorage

extension BulkRun {
    /// Writes the batch's objects, leaving out what the store has.
    mutating func writeObjects(draft: inout CommitDraft) throws {
        guard !batch.objects.isEmpty else { return }
        var interner = Interner(transaction)
        var objects: [BulkObject] = []
        objects.reserveCapacity(batch.objects.count)
        for record in batch.objects {
            objects.append(try prepare(record, &interner))
        }
        for part in batch.parts {
            guard batch.objects.indices.contains(part.owner) else {
                throw EngineError.invalidArgument("A batch holds a part of an object that it does not hold.")
            }
            var object = try prepare(part.object, &interner)
            object.owner = part.owner
            objects.append(object)
        }
        try findStored(&objects)
        try findByOtherTypes(&objects, draft: &draft)
        try writeSummaries(&objects, draft: &draft)
        try writeNew(&objects, draft: &draft)
        try linkParts(objects, draft: &draft)
        try keepAttachments(of: objects)
    }

    /// Writes objects that the store does not have, with the links to their members.
    private mutating func writeNew(_ objects: inout [BulkObject], draft: inout CommitDraft) throws {
        let places = objects.indices.filter { !objects[$0].isDone }
        guard !places.isEmpty else { return }
        let hasMembers = places.contains { !objects[$0].members.isEmpty }
        let members = hasMembers ? try placeMembers(of: places.map { objects[$0] }, draft: &draft) : []
        let first = try takeSequences(places.count, draft: &draft)
        for (index, place) in places.enumerated() {
            let sequence = first + Int64(index)
            let type = objects[place].type
            objects[place].sequence = sequence
            try transaction.putObject(objects[place].stored(sequence: sequence))
            for member in hasMembers ? members[index] : [] {
                try transaction.addLink(
                    StoredLink(
                        owner: sequence, ownerType: type, member: member.sequence,
                        memberType: member.type))
            }
            added[type, default: 0] += 1
        }
    }

    /// Links parts to their owners, new ones and those that were there.
    private func linkParts(_ objects: [BulkObject], draft: inout CommitDraft) throws {
        for part in objects[batch.objects.count...] {
            guard let place = part.owner, let owner = objects[place].sequence, let sequence = part.sequence else {
                continue
            }
            if part.isDone, try transaction.links(ofMember: sequence).contains(where: { $0.owner == owner }) {
                continue
            }
            try transaction.addLink(
                StoredLink(
                    owner: owner, ownerType: objects[place].type, member: sequence, memberType: part.type))
            draft.types.insert(objects[place].type)
        }
    }

    /// The object in the store's numbers.
    private mutating func prepare(
        _ record: ObjectRecord, _ interner: inout Interner
    ) throws -> BulkObject {
        let description = try describe(record.type)
        guard !description.kind.isPaged, description.kind != .characteristic else {
            throw EngineError.invalidArgument("A batch holds an object of a type that has none.")
        }
        guard record.start <= record.end, record.start.isFinite, record.end.isFinite else {
            throw EngineError.invalidArgument("A batch holds an object that does not start before it ends.")
        }
        // Activity summaries and some documents of an archive name nobody who wrote them.
        if let revision = record.revision { try noteKind(revision, record.device) }
        var object = BulkObject(
            record: record, type: description.code, isCorrelation: description.kind == .correlation,
            revision: try record.revision.map { try interner.number($0) } ?? 0,
            device: try interner.number(record.device),
            payload: ObjectCoder.encode(
                metadata: record.metadata, creation: record.creation, body: record.body))
        for member in record.members {
            let memberDescription = try describe(member.type)
            guard memberDescription.kind.isPaged, member.start <= member.end, member.start.isFinite,
                member.end.isFinite
            else { throw EngineError.invalidArgument("A batch holds a member that is no sample.") }
            guard let memberRevision = member.revision ?? record.revision else {
                throw EngineError.invalidArgument("A batch holds a member without a source.")
            }
            try noteKind(memberRevision, member.device)
            object.members.append(
                BulkObject.Member(
                    record: member, type: memberDescription.code,
                    unit: try interner.number(unit: member.unit),
                    revision: try interner.number(memberRevision),
                    device: try interner.number(member.device)))
        }
        return object
    }

    // MARK: What is stored

    /// Marks objects that the store held before the import, each stored one for one of the batch.
    private mutating func findStored(_ objects: inout [BulkObject]) throws {
        try findGivenUUIDs(&objects)
        let transaction = transaction
        let before = before
        for type in Set(objects.map(\.type)).sorted() {
            let had = try memory.hadObjects(of: type) {
                var found = false
                try transaction.visitObjects(of: type, in: .all) { object in
                    found = object.sequence <= before
                    return !found
                }
                return found
            }
            guard had else { continue }
            let places = objects.indices.filter { objects[$0].type == type && !objects[$0].isDone }
            try findStored(&objects, at: places, type: type)
        }
    }

    private mutating func findGivenUUIDs(_ objects: inout [BulkObject]) throws {
        let finder = PageFinder(snapshot: transaction, identities: identities)
        for index in objects.indices {
            guard let uuid = objects[index].record.uuid, let stored = try finder.locate(uuid) else {
                continue
            }
            _ = memory.claim(stored.sequence, of: stored.type)
            objects[index].isDone = true
            objects[index].sequence = stored.sequence
            alreadyThere[objects[index].type, default: 0] += 1
        }
    }

    private mutating func findStored(
        _ objects: inout [BulkObject], at places: [Int], type: TypeCode
    ) throws {
        let starts = Set(places.map { objects[$0].record.start })
        guard let first = starts.min(), let last = starts.max() else { return }
        var candidates: [Double: [StoredObject]] = [:]
        try transaction.visitObjects(
            of: type, in: .time(startsBefore: last.nextUp, endsAtOrAfter: first)
        ) { object in
            if object.sequence <= before, starts.contains(object.start) {
                candidates[object.start, default: []].append(object)
            }
            return true
        }
        guard !candidates.isEmpty else { return }
        try extendClasses(
            revisions: places.map { objects[$0].revision }, devices: places.map { objects[$0].device })
        let owners = Set(batch.parts.map(\.owner))
        let memberships = try storedMembers(of: candidates.values.flatMap { $0 })
        for place in places {
            let object = objects[place]
            let match = try candidates[object.record.start]?.first { stored in
                try memory.isFree(stored.sequence, of: type) && isEqual(object, stored)
                    && (!object.isCorrelation
                        || object.memberCounts(classes) == memberships[stored.sequence] ?? [:])
            }
            guard let match else { continue }
            _ = memory.claim(match.sequence, of: type)
            objects[place].isDone = true
            objects[place].sequence = match.sequence
            alreadyThere[type, default: 0] += 1
            if object.isCorrelation {
                for link in try transaction.links(ofOwner: match.sequence) { count(member: link.member, of: link.memberType) }
            }
            let payload =
                owners.contains(place)
                ? try ObjectLikeness.withoutResolvedParts(match.payload, newer: object.record)
                : match.payload == object.payload ? nil : try ObjectLikeness.withFile(match.payload, newer: object.record)
            if let payload {
                var stored = match
                stored.payload = payload
                try transaction.putObject(stored)
            }
        }
    }

    func isEqual(_ object: BulkObject, _ stored: StoredObject) throws -> Bool {
        try object.record.end == stored.end
            && classes.revisionClass(object.revision) == classes.revisionClass(stored.revision)
            && classes.deviceClass(object.device) == classes.deviceClass(stored.device)
            && (object.payload == stored.payload
                || ObjectLikeness.areAlike(object.record, storedPayload: stored.payload))
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
            try extendClasses(revisions: rows.revisions, devices: rows.devices)
            for row in rows.sequences.indices {
                contents[rows.sequences[row]] = BulkObject.MemberKey(
                    type: type, start: rows.starts[row], end: rows.ends[row],
                    value: rows.values[row].bitPattern, unit: rows.units[row],
                    revision: classes.revisionClass(rows.revisions[row]),
                    device: classes.deviceClass(rows.devices[row]))
            }
        }
        var counts: [Int64: [BulkObject.MemberKey: Int]] = [:]
        for link in links {
            guard let key = contents[link.member] else { continue }
            counts[link.owner, default: [:]][key, default: 0] += 1
        }
        return counts
    }

    // MARK: Summaries

    /// Writes activity summaries: one a day, a later one in place of an earlier one.
    private mutating func writeSummaries(
        _ objects: inout [BulkObject], draft: inout CommitDraft
    ) throws {
        guard objects.contains(where: { $0.summaryDay != nil && !$0.isDone }) else { return }
        var stored: [Int: StoredObject] = [:]
        for type in Set(objects.filter { $0.summaryDay != nil }.map(\.type)) {
            try transaction.visitObjects(of: type, in: .all) { object in
                let body = try ObjectCoder.decode(object.payload).body
                if let day = BulkObject.summaryDay(of: body) { stored[day] = object }
                return true
            }
        }
        for index in objects.indices {
            guard !objects[index].isDone, let day = objects[index].summaryDay else { continue }
            let object = objects[index]
            objects[index].isDone = true
            if let present = stored[day] {
                if object.payload == present.payload {
                    _ = memory.claim(present.sequence, of: object.type)
                    alreadyThere[object.type, default: 0] += 1
                    continue
                }
                // No tombstone: a summary is no object that anchored queries report.
                try transaction.removeObject(sequence: present.sequence)
            }
            let sequence = try takeSequences(1, draft: &draft)
            let new = object.stored(sequence: sequence)
            try transaction.putObject(new)
            stored[day] = new
            added[object.type, default: 0] += 1
        }
    }
}
