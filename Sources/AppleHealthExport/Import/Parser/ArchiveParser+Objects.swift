import HealthEngine
import HealthModel

extension ArchiveParser {
    /// Takes a child of `HealthData` that is neither record nor correlation and starts at offset `start`.
    mutating func take(_ element: ArchivedElement, at start: Int) {
        let before = objects.count
        switch element.name {
        case HeadNotes.export, HeadNotes.person:
            takeHead(element, at: start)
        case "Workout":
            takeWorkout(element, at: start)
        case "ActivitySummary":
            take(element, at: start, named: "HKActivitySummaryTypeIdentifier", ActivitySummaryReader.read)
        case "Audiogram":
            takeAudiogram(element, at: start)
        case "VisionPrescription":
            takeVisionPrescription(element, at: start)
        case "ClinicalRecord":
            takeClinicalRecord(element, at: start)
        default:
            findings.note("element \(element.name), kept", count: 1, line: window.line(at: start))
            return takeDocument(element, identifier: DocumentReader.identifier(of: element), at: start)
        }
        if objects.count > before { findings.noteOddities(of: element, line: window.line(at: start)) }
    }

    /// Takes an element of the archive's head. A second one of its name, which nobody has seen, adds to the first.
    private mutating func takeHead(_ element: ArchivedElement, at start: Int) {
        findings.noteOddities(of: element, line: window.line(at: start))
        let path = element.name == HeadNotes.export ? \ArchiveHeader.export : \ArchiveHeader.person
        guard var known = header[keyPath: path] else {
            header[keyPath: path] = element
            return
        }
        for attribute in element.attributes {
            if let value = known[attribute.name] {
                guard value != attribute.value else { continue }
                findings.skip(
                    line: window.line(at: start), type: element.name,
                    reason: "its \(attribute.name) is not that of the one before, which counts")
            } else {
                known.attributes.append(attribute)
            }
        }
        known.children += element.children
        header[keyPath: path] = known
    }

    /// Makes an object of a workout, and one of each of its routes whose points are to be had; the others
    /// stay in the workout as they are.
    private mutating func takeWorkout(_ element: ArchivedElement, at start: Int) {
        do throws(ObjectRefusal) {
            var workout = try WorkoutReader.read(element)
            var routes: [ObjectRecord] = []
            if case .workout(var body) = workout.body, body.archived.contains(where: Self.isRoute) {
                body.archived.removeAll { child in
                    guard Self.isRoute(child), let route = readRoute(child, at: start) else { return false }
                    routes.append(route)
                    return true
                }
                workout.body = .workout(body)
            }
            add(workout, parts: routes)
        } catch {
            findings.skip(line: window.line(at: start), type: "HKWorkoutTypeIdentifier", reason: error.reason)
        }
    }

    private static func isRoute(_ element: ArchivedElement) -> Bool {
        element.name == ArchivedElement.workoutRoute
    }

    /// The route inside the workout that starts at offset `start`; `nil` for one that is reported.
    private mutating func readRoute(_ element: ArchivedElement, at start: Int) -> ObjectRecord? {
        do throws(ObjectRefusal) {
            let reading = try WorkoutRouteReader.read(element, companions: companions)
            if reading.dropped > 0 {
                findings.note(
                    "points of a route that do not say where or when, dropped", count: reading.dropped,
                    line: window.line(at: start))
            }
            return reading.route
        } catch {
            findings.skip(
                line: window.line(at: start), type: WorkoutRouteReader.identifier, reason: error.reason + ", its reference is kept")
            return nil
        }
    }

    /// Keeps an element whole, under a type of its own where the catalog's is not one for documents.
    mutating func takeDocument(_ element: ArchivedElement, identifier: String, at start: Int) {
        let type = documentType(identifier)
        take(element, at: start, named: identifier) { element throws(ObjectRefusal) in
            try DocumentReader.read(element, type: type)
        }
    }

    /// The code of a type that holds documents, entered if it is new.
    mutating func documentType(_ identifier: String) -> TypeCode {
        let known = TypeCatalog.description(for: identifier)
        let kind: TypeKind = known.map { $0.kind == .series ? .series : .document } ?? .document
        return types[types.index(of: identifier, kind: kind)].code
    }

    /// Makes an object of a correlation and of the records inside it.
    mutating func takeCorrelation(_ element: SampleElement, at start: Int) {
        let (base, fields) = (UnsafePointer(window.base), element.fields)
        guard fields.type.exists else {
            findings.skip(line: window.line(at: start), type: "Correlation", reason: "it has no type")
            return
        }
        let identifier = types.identifier(types.name(fields.type.bytes(in: base)))
        do throws(ObjectRefusal) {
            let from = try Self.date(base, fields.startDate, "startDate", &dates)
            let to = try Self.date(base, fields.endDate, "endDate", &dates)
            guard from <= to else { throw ObjectRefusal("it ends before it starts") }
            let creation =
                fields.creationDate.exists
                ? try Self.date(base, fields.creationDate, "creationDate", &creationDates) : nil
            guard fields.sourceName.exists else { throw ObjectRefusal("it has no sourceName") }
            let origin = nouns.origin(
                base, name: fields.sourceName, version: fields.sourceVersion, device: fields.device)
            var object = ObjectRecord(
                type: types[types.index(of: identifier, kind: .correlation)].code, start: from, end: to,
                revision: nouns.dictionaries.revision(origin.revision),
                device: nouns.dictionaries.device(origin.device), metadata: Metadata(element.entries + element.beats.map { ArchivedMetadata.child($0.element) }), creation: creation)
            var others: [Metadata.Entry] = []
            for member in element.members {
                switch member.outcome {
                case .sample(let sample):
                    let record = record(sample)
                    object.members.append(record)
                    if !member.others.isEmpty {
                        others.append(
                            CorrelationMember(record, types[sample.type].description, others: member.others).entry)
                    }
                case .document(let type):
                    findings.skip(
                        line: window.line(at: member.offset), type: type, reason: "it cannot be in a correlation")
                case .invalid(let type, let reason):
                    findings.skip(line: window.line(at: member.offset), type: type, reason: reason)
                }
            }
            object.metadata.entries += CorrelationMember.ordered(others)
            guard !object.members.isEmpty else { throw ObjectRefusal("it has no members") }
            add(object)
        } catch {
            findings.skip(line: window.line(at: start), type: identifier, reason: error.reason)
        }
    }

    private mutating func take(
        _ element: ArchivedElement, at start: Int, named identifier: String,
        _ read: (ArchivedElement) throws(ObjectRefusal) -> ObjectRecord
    ) {
        do {
            add(try read(element))
        } catch {
            findings.skip(line: window.line(at: start), type: identifier, reason: error.reason)
        }
    }

    mutating func add(_ object: ObjectRecord, parts own: [ObjectRecord] = []) {
        for part in own {
            parts.append(.init(owner: objects.count, object: part))
            batchRecords += BatchWeight.weight(of: part)
        }
        batchRecords += BatchWeight.weight(of: object)
        objects.append(object)
        records += 1 + own.count
    }

    private static func date(
        _ base: UnsafePointer<UInt8>, _ range: ByteRange, _ name: String, _ cursor: inout DateCursor
    ) throws(ObjectRefusal) -> Double {
        guard range.exists else { throw ObjectRefusal("it has no \(name)") }
        let instant = instant(base, range, &cursor)
        guard !instant.isNaN else { throw ObjectRefusal("its \(name) is no date") }
        return instant
    }

    /// A parsed sample with its nouns spelled out.
    private func record(_ sample: ParsedSample) -> SampleRecord {
        SampleRecord(
            type: types[sample.type].code, start: sample.start, end: sample.end, value: sample.value,
            unit: nouns.dictionaries.unit(sample.unit), revision: nouns.dictionaries.revision(sample.revision),
            device: nouns.dictionaries.device(sample.device), metadata: sample.metadata,
            creation: sample.creation.isNaN ? nil : sample.creation)
    }
}
