import Foundation
import HealthEngine
import HealthFiles
import HealthImport
import HealthModel

extension ArchiveParser {
    /// Adds a child of `HealthData` other than a record or correlation, which starts at offset `start`.
    mutating func add(_ element: ArchivedElement, at start: Int) {
        let before = objects.count
        switch element.name {
        case HeaderMetadata.export, HeaderMetadata.person:
            addHeaderElement(element, at: start)
        case "Workout":
            addWorkout(element, at: start)
        case "ActivitySummary":
            add(element, at: start, named: "HKActivitySummaryTypeIdentifier", ActivitySummaryReader.read)
        case "Audiogram":
            addAudiogram(element, at: start)
        case "VisionPrescription":
            addVisionPrescription(element, at: start)
        case "ClinicalRecord":
            addClinicalRecord(element, at: start)
        default:
            report("element \(element.name), preserved", at: start)
            return addDocument(element, identifier: DocumentReader.identifier(of: element), at: start)
        }
        if objects.count > before { findings.reportUnknownContent(of: element, line: window.line(at: start)) }
    }

    /// Adds an element of the archive's header. A second element with the same name is merged into the first.
    private mutating func addHeaderElement(_ element: ArchivedElement, at start: Int) {
        findings.reportUnknownContent(of: element, line: window.line(at: start))
        let path = element.name == HeaderMetadata.export ? \ArchiveHeader.export : \ArchiveHeader.person
        guard var known = header[keyPath: path] else {
            header[keyPath: path] = element
            return
        }
        for attribute in element.attributes {
            if let value = known[attribute.name] {
                guard value != attribute.value else { continue }
                let reason = "its \(attribute.name) differs from the first one, which is preserved"
                skip(element.name, at: start, because: reason)
            } else {
                known.attributes.append(attribute)
            }
        }
        known.children += element.children
        header[keyPath: path] = known
    }

    /// Adds a workout and its routes. Routes whose points cannot be read stay in the workout as markup.
    private mutating func addWorkout(_ element: ArchivedElement, at start: Int) {
        do throws(ElementError) {
            var workout = try WorkoutReader.read(element)
            if ElementFrame.sourceName(of: element) == nil { reportWithoutSource("HKWorkoutTypeIdentifier", at: start) }
            var routes: [ObjectRecord] = []
            if case .workout(var body) = workout.body, body.archived.contains(where: Self.isRoute) {
                body.archived.removeAll { child in
                    guard Self.isRoute(child), let route = readRoute(child, at: start) else { return false }
                    routes.append(route)
                    return true
                }
                workout.body = .workout(body)
            }
            for name in WorkoutReader.unreadableTotals(of: element) {
                report("Workout with \(name) that is not a number, preserved", at: start)
            }
            add(workout, parts: routes)
        } catch {
            leaveOut(element, "HKWorkoutTypeIdentifier", because: error, at: start)
        }
    }

    /// Counts an element that cannot be read as its type, and keeps it as markup if the error says so.
    private mutating func leaveOut(
        _ element: ArchivedElement, _ identifier: String, because error: ElementError, at start: Int
    ) {
        if let preserved = error.preserved {
            reportPreserved(identifier, preserved, at: start)
        } else {
            skip(identifier, at: start, because: error.reason + (error.isKept ? Self.keptAsItIs : ""))
            guard error.isKept else { return }
        }
        addDocument(element, identifier: identifier, at: start)
    }

    /// Counts an element without a source, which gets one of its own.
    mutating func reportWithoutSource(_ identifier: String, at start: Int) {
        report("\(identifier) without a source, imported with the source “\(SourceText.unknown)”", at: start)
    }

    /// The end of the reason why an element is skipped that is kept as markup.
    static let keptAsItIs = ", preserved as it is"

    private static func isRoute(_ element: ArchivedElement) -> Bool {
        element.name == ArchivedElement.workoutRoute
    }

    /// Reads a route of the workout that starts at offset `start`. Reports a route that cannot be read and returns
    /// `nil`.
    private mutating func readRoute(_ element: ArchivedElement, at start: Int) -> ObjectRecord? {
        do throws(ElementError) {
            let reading = try WorkoutRouteReader.read(element, auxiliaryFiles: auxiliaryFiles)
            if reading.dropped > 0 {
                report("route points without a position or a time, dropped", at: start, count: reading.dropped)
            }
            return reading.route
        } catch {
            skip(WorkoutRouteReader.identifier, at: start, because: error.reason + ", its reference is preserved")
            return nil
        }
    }

    /// Keeps an element as markup, under a separate type if the catalog's type does not hold documents.
    mutating func addDocument(_ element: ArchivedElement, identifier: String, at start: Int) {
        let type = documentType(identifier)
        add(element, at: start, named: identifier) { element throws(ElementError) in
            try DocumentReader.read(element, type: type)
        }
    }

    /// The code of a document type, which is registered if it is new.
    mutating func documentType(_ identifier: String) -> TypeCode {
        let known = TypeCatalog.description(for: identifier)
        let kind: TypeKind = known.map { $0.kind == .series ? .series : .document } ?? .document
        return types[types.index(of: identifier, kind: kind)].code
    }

    /// Adds a correlation and the records in it.
    mutating func addCorrelation(_ element: SampleElement, at start: Int) {
        let (base, fields) = (UnsafePointer(window.base), element.fields)
        guard fields.type.exists, fields.type.count > 0 else {
            return skip("Correlation", at: start, because: "it has no type")
        }
        let identifier = types.identifier(types.name(fields.type.bytes(in: base)))
        do throws(ElementError) {
            let from = try Self.date(base, fields.startDate, "startDate", &dates)
            let to = try Self.date(base, fields.endDate, "endDate", &dates)
            guard from <= to else { throw ElementError("it ends before it starts") }
            let creation =
                fields.creationDate.exists
                ? try Self.date(base, fields.creationDate, "creationDate", &creationDates) : nil
            if !fields.sourceName.exists { reportWithoutSource(identifier, at: start) }
            let origin = dictionaryTable.origin(
                base, name: fields.sourceName, version: fields.sourceVersion, device: fields.device)
            var object = ObjectRecord(
                type: types[types.index(of: identifier, kind: .correlation)].code, start: from, end: to,
                revision: dictionaryTable.dictionaries.revision(origin.revision),
                device: dictionaryTable.dictionaries.device(origin.device),
                metadata: Metadata(element.entries + element.beats.map { ArchivedMetadata.child($0.element) }),
                creation: creation)
            var others: [Metadata.Entry] = []
            for member in element.members {
                switch member.outcome {
                case .sample(let sample):
                    let record = record(sample)
                    object.members.append(record)
                    if !member.others.isEmpty {
                        others.append(
                            CorrelationMember(record, types[sample.type].description, unknown: member.others).entry)
                    }
                case .document(let type, let reason):
                    if let reason, let whole = markup(at: member.offset) {
                        reportPreserved(type, reason, at: member.offset)
                        object.metadata.entries.append(ArchivedMetadata.child(whole))
                    } else {
                        skip(type, at: member.offset, because: "it cannot be in a correlation")
                    }
                case .invalid(let type, let reason):
                    skip(type, at: member.offset, because: reason)
                case .kept(let type, let reason):
                    skip(type, at: member.offset, because: reason + Self.keptAsItIs)
                    if let whole = markup(at: member.offset) {
                        object.metadata.entries.append(ArchivedMetadata.child(whole))
                    }
                }
            }
            object.metadata.entries += CorrelationMember.ordered(others)
            if let order = MemberOrder.entry(element.members, types) { object.metadata.entries.append(order) }
            guard !object.members.isEmpty else {
                throw ElementError("it has no members", preserving: "without members")
            }
            add(object)
        } catch {
            guard let preserved = error.preserved else {
                return skip(identifier, at: start, because: error.reason)
            }
            preserveDocument(at: start, identifier: identifier, because: preserved)
        }
    }

    private mutating func add(
        _ element: ArchivedElement, at start: Int, named identifier: String,
        _ read: (ArchivedElement) throws(ElementError) -> ObjectRecord
    ) {
        do {
            add(try read(element))
        } catch {
            leaveOut(element, identifier, because: error, at: start)
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
    ) throws(ElementError) -> Double {
        guard range.exists else { throw ElementError("it has no \(name)") }
        let instant = instant(base, range, &cursor)
        guard !instant.isNaN else { throw ElementError("its \(name) is not a date") }
        return instant
    }

    /// A parsed sample with its unit, source and device in place of their numbers.
    private func record(_ sample: ParsedSample) -> SampleRecord {
        SampleRecord(
            type: types[sample.type].code, start: sample.start, end: sample.end, value: sample.value,
            unit: dictionaryTable.dictionaries.unit(sample.unit),
            revision: dictionaryTable.dictionaries.revision(sample.revision),
            device: dictionaryTable.dictionaries.device(sample.device), metadata: sample.metadata,
            creation: sample.creation.isNaN ? nil : sample.creation)
    }

    // MARK: - Documents

    /// Adds a hearing test.
    mutating func addAudiogram(_ element: ArchivedElement, at start: Int) {
        do {
            add(try AudiogramReader.read(element))
        } catch {
            preserveWhole(element, because: error, at: start)
        }
    }

    /// Adds a prescription of glasses or contact lenses.
    mutating func addVisionPrescription(_ element: ArchivedElement, at start: Int) {
        do {
            let record = try VisionPrescriptionReader.read(element)
            for identifier in ArchivedAttachment.identifiers(in: record.metadata) {
                addAttachment(identifier, of: record, at: start)
            }
            add(record)
        } catch {
            preserveWhole(element, because: error, at: start)
        }
    }

    /// Adds a file of the prescription that starts at offset `start` and is about to be added.
    private mutating func addAttachment(_ identifier: String, of record: ObjectRecord, at start: Int) {
        if attachmentFolder == nil {
            attachmentFolder = AttachmentFolder(paths: auxiliaryFiles.paths(inFolder: ArchivedAttachment.folder))
        }
        do throws(AuxiliaryFileError) {
            guard let path = attachmentFolder?.path(of: identifier) else { throw .missing }
            let bytes = try auxiliaryFiles.contents(of: path, limit: AttachmentRecord.maximumSize)
            let name = path.split(separator: "/").last.map(String.init) ?? identifier
            attachments.append(
                .init(
                    owner: objects.count,
                    record: AttachmentRecord(
                        identifier: ArchivedAttachment.uuid(of: identifier), name: name,
                        contentType: AttachmentContentType.identifier(name: name, bytes: bytes), size: bytes.count,
                        creation: record.start, metadata: ArchivedAttachment.metadata(identifier: identifier)),
                    bytes: bytes))
            batchRecords += BatchWeight.weight(ofBytes: bytes.count)
        } catch {
            skip(VisionPrescriptionReader.identifier, at: start, because: error.reason + ", its reference is preserved")
        }
    }

    /// Adds a clinical record with its file.
    mutating func addClinicalRecord(_ element: ArchivedElement, at start: Int) {
        var missing: AuxiliaryFileError?
        var resource: [UInt8]?
        if let path = element["resourceFilePath"] {
            do throws(AuxiliaryFileError) {
                resource = try auxiliaryFiles.contents(of: path)
            } catch {
                missing = error
            }
        }
        do {
            var reading = try ClinicalRecordReader.read(element, resource: resource)
            reading.record.type = documentType(reading.typeIdentifier)
            if let missing {
                skip(reading.typeIdentifier, at: start, because: missing.reason + ", its reference is preserved")
            }
            if reading.isBroken {
                report("ClinicalRecord with a file that is not JSON, preserved", at: start)
            }
            let others = ClinicalRecordType.alternatives(
                of: element["type"] ?? "", than: reading.typeIdentifier, hasFile: resource != nil)
            if !others.isEmpty { alternateTypes.append(.init(object: objects.count, identifiers: others)) }
            add(reading.record)
        } catch {
            preserveWhole(element, because: error, at: start)
        }
    }

    /// Keeps an element as markup if it cannot be read as its type.
    private mutating func preserveWhole(_ element: ArchivedElement, because refusal: ElementError, at start: Int) {
        report("\(element.name), preserved as it is: \(refusal.reason)", at: start)
        addDocument(element, identifier: DocumentReader.identifier(of: element), at: start)
    }

    // MARK: - Electrocardiograms

    /// Reads the electrocardiograms, to which the main file does not refer. They are reported with line 0.
    mutating func readElectrocardiograms() throws {
        for path in auxiliaryFiles.paths(inFolder: ElectrocardiogramReader.folder) {
            guard path.lowercased().hasSuffix(".csv") else { continue }
            do throws(AuxiliaryFileError) {
                let record = try ElectrocardiogramReader.read(auxiliaryFiles.contents(of: path), path: path)
                if ElectrocardiogramReader.hasUnknownClass(record) {
                    findings.report(
                        "electrocardiogram as unrecognized, because the name of its classification isn’t known",
                        count: 1)
                }
                add(record)
            } catch {
                let name = path.split(separator: "/").last ?? ""
                findings.skip(
                    line: 0, type: ElectrocardiogramReader.identifier, reason: "in “\(name)”, \(error.reason)")
            }
            if batchRecords >= options.batchSize { try flush() }
        }
    }
}
