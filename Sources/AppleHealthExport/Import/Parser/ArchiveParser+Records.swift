import HealthFiles
import HealthModel

extension ArchiveParser {
    /// Reads a top-level record or correlation whose tag has just been scanned. Returns false if the window ends within
    /// it.
    mutating func readSamples(_ tag: ScannedTag, isCorrelation: Bool) throws -> Bool {
        let start = window.position
        let shape =
            options.usesTemplates && !isCorrelation
            ? RecordTemplate.Shape(window.base, start, tag, attributes) : nil
        var parts = options.maximumPartCount
        switch readSampleElement(tag, hasMembers: isCorrelation, parts: &parts) {
        case .needsMore:
            return false
        case .tooManyParts:
            try skipElement(reason: ElementReader.tooManyParts)
        case .malformed(let resume, let reason):
            try recover(at: start, resume: resume, reason: reason)
        case .element(let element):
            let before = records
            if isCorrelation { addCorrelation(element, at: start) } else { addRecord(element, tag, shape, at: start) }
            if records > before { report(element.unknownContent, at: start) }
            window.position = element.end
        }
        return true
    }

    private mutating func addRecord(
        _ element: SampleElement, _ tag: ScannedTag, _ shape: RecordTemplate.Shape?, at start: Int
    ) {
        switch interpret(element) {
        case .sample(var sample):
            if !element.fields.sourceName.exists {
                reportWithoutSource(types[sample.type].description.identifier, at: start)
            }
            addBeats(of: element, &sample)
            append(sample, of: element, tag)
            if let shape, element.fields.sourceName.exists { learn(shape, sample, element.fields) }
        case .document(let identifier, let reason):
            preserveDocument(at: start, identifier: identifier, because: reason)
        case .invalid(let type, let reason):
            skip(type, at: start, because: reason)
        case .kept(let type, let reason):
            preserveDocument(at: start, identifier: type, skipping: reason)
        }
    }

    /// Reads a record's or correlation's attributes and children.
    ///
    /// - Parameter parts: The number of parts it may still have.
    private mutating func readSampleElement(
        _ tag: ScannedTag, hasMembers: Bool, parts: inout Int
    ) -> SampleElement.Reading {
        let (base, end) = (window.base, window.count)
        parts -= ElementReader.weight(attributes)
        guard parts >= 0, !attributes.hasOverflowed else { return .tooManyParts }
        var element = SampleElement(fields: RecordFields(base, attributes), end: tag.end)
        preserveUnknownAttributes(of: &element)
        if tag.kind == .empty { return .element(element) }
        var position = tag.end
        while true {
            let next = TagScanner.find(UInt8(ascii: "<"), base, from: position, end: end)
            guard next < end else { return .needsMore }
            if let text = ElementReader.text(base, ByteRange(start: position, end: next)) {
                parts -= 1
                preserve(text, in: &element)
            }
            switch TagScanner.scan(base, at: next, end: end, into: &attributes) {
            case .needsMore:
                return .needsMore
            case .malformed(let resume):
                return .malformed(resume: resume, reason: "a tag inside it is malformed")
            case .tag(let child):
                position = child.end
                switch child.kind {
                case .aside:
                    parts -= 1
                    guard parts >= 0 else { return .tooManyParts }
                    if let text = ElementReader.text(base, ofSection: next, child) { preserve(text, in: &element) }
                case .close:
                    guard child.name.bytes(in: base).elementsEqual(tag.name.bytes(in: base)) else {
                        return .malformed(resume: next, reason: "an end tag inside it has no start tag")
                    }
                    element.end = child.end
                    return .element(element)
                case .open, .empty:
                    let name = child.name.bytes(in: base)
                    if child.kind == .empty, name.elementsEqual("MetadataEntry".utf8), let entry = metadataEntry() {
                        parts -= ElementReader.weight(attributes)
                        guard parts >= 0 else { return .tooManyParts }
                        element.entries.append(entry)
                    } else if hasMembers, name.elementsEqual("Record".utf8) {
                        switch readSampleElement(child, hasMembers: false, parts: &parts) {
                        case .element(var member):
                            member.preserveBeatsAsEntries()
                            let outcome = interpret(member)
                            if !outcome.isInvalid { element.unknownContent += member.unknownContent }
                            element.members.append(.init(outcome: outcome, offset: next, others: member.others))
                            position = member.end
                        case let other:
                            return other
                        }
                    } else if child.kind == .open, name.elementsEqual(ArchivedMetadata.beats.utf8),
                        attributes.count == 0,
                        let (beats, beatsEnd) = BeatListScanner.scan(base, from: child.end, end: end)
                    {
                        parts -= 1 + 3 * beats.ticks.count
                        guard parts >= 0 else { return .tooManyParts }
                        element.beats.append(beats)
                        position = beatsEnd
                    } else if Self.isNeighbour(child.name, base, end: end) {
                        return .malformed(resume: next, reason: "another element begins inside it")
                    } else {
                        switch ElementReader.read(base, from: child, end: end, &attributes, parts: &parts) {
                        case .element(let inner, let innerEnd):
                            preserve(inner, in: &element)
                            position = innerEnd
                        case .needsMore:
                            return .needsMore
                        case .tooManyParts:
                            return .tooManyParts
                        case .malformed(let resume, let reason):
                            return .malformed(resume: resume, reason: reason)
                        }
                    }
                }
            }
        }
    }

    /// The metadata entry of the tag scanned last, if it has a key, a value and no other attribute.
    private func metadataEntry() -> Metadata.Entry? {
        guard attributes.count == 2 else { return nil }
        var key: String?
        var value: String?
        for index in 0..<2 {
            let name = attributes[index].name.bytes(in: window.base)
            if name.elementsEqual("key".utf8) {
                key = AttributeText.decode(attributes[index].value.bytes(in: window.base))
            } else if name.elementsEqual("value".utf8) {
                value = AttributeText.decode(attributes[index].value.bytes(in: window.base))
            }
        }
        guard let key, let value else { return nil }
        return MetadataText.parse(key: key, text: value)
    }

    /// Keeps unknown attributes. Those that are metadata come after the others, as metadata in children does.
    private func preserveUnknownAttributes(of element: inout SampleElement) {
        guard !element.fields.others.isEmpty || !element.fields.repeated.isEmpty else { return }
        var metadata: [Metadata.Entry] = []
        for index in element.fields.others {
            let name = String(decoding: attributes[index].name.bytes(in: window.base), as: UTF8.self)
            let value = AttributeText.decode(attributes[index].value.bytes(in: window.base))
            let entry = ArchivedMetadata.attribute(name, value)
            if ArchivedMetadata.attribute(of: entry) == nil { metadata.append(entry) } else { element.preserve(entry) }
            element.unknownContent.append("attribute \(name)")
        }
        element.entries += metadata
        for index in element.fields.repeated {
            let name = String(decoding: attributes[index].name.bytes(in: window.base), as: UTF8.self)
            element.unknownContent.append("attribute \(name) twice, the first one")
        }
    }

    private func preserve(_ child: ArchivedElement, in element: inout SampleElement) {
        if child.name == "MetadataEntry", let key = child["key"], let value = child["value"],
            child.attributes.count == 2, child.children.isEmpty
        {
            element.entries.append(MetadataText.parse(key: key, text: value))
            return
        }
        if let beats = BeatList(child) {
            element.beats.append(beats)
            return
        }
        element.preserve(ArchivedMetadata.child(child))
        if child.name == ElementReader.textName {
            element.unknownContent.append("text")
        } else if child.name != ArchivedMetadata.beats {
            element.unknownContent.append("element \(child.name)")
        }
    }

    private mutating func append(_ sample: ParsedSample, of element: SampleElement, _ tag: ScannedTag) {
        guard let builder = types[sample.type].builder else { return }
        let before = builder.pointee.metadataCount
        let number = builder.pointee.number(of: sample.metadata)
        // A dictionary that has occurred twice is likely to recur, so its markup is remembered.
        if tag.kind == .open, options.usesTemplates, number > 0, builder.pointee.metadataCount == before,
            element.unknownContent.isEmpty, element.beats.isEmpty,
            sample.metadata.entries.count == element.entries.count
        {
            builder.pointee.remember(ByteRange(start: tag.end, end: element.end).bytes(in: window.base), as: number)
        }
        builder.pointee.append(
            start: sample.start, end: sample.end, value: sample.value, unit: sample.unit,
            revision: sample.revision, device: sample.device, metadata: number, creation: sample.creation)
        records += 1
        batchRecords +=
            builder.pointee.metadataCount == before ? 1 : BatchWeight.weight(ofMetadataIn: element.end - tag.end)
    }

    /// Adds a series for each list of heartbeats in a record. A list whose beats are out of order stays in the
    /// record's metadata.
    private mutating func addBeats(of element: SampleElement, _ sample: inout ParsedSample) {
        for list in element.beats {
            let series = HeartbeatSeriesReader.read(
                list, start: sample.start, end: sample.end,
                zoneMinutes: Self.zoneMinutes(of: element.fields.startDate.bytes(in: window.base)),
                creation: sample.creation.isNaN ? nil : sample.creation)
            guard var series else {
                sample.metadata.entries.append(ArchivedMetadata.child(list.element))
                continue
            }
            series.revision = dictionaryTable.dictionaries.revision(sample.revision)
            series.device = dictionaryTable.dictionaries.device(sample.device)
            add(series)
        }
    }

    /// The minutes of a date's UTC offset beyond full hours; 0 for a date in an unusual format.
    private static func zoneMinutes(of date: UnsafeBufferPointer<UInt8>) -> Int {
        guard date.count == DateCursor.length else { return 0 }
        let minutes = Int(date[23]) * 10 + Int(date[24]) - 0x30 * 11
        return date[20] == UInt8(ascii: "-") ? -minutes : minutes
    }

    private mutating func report(_ unknownContent: [String], at start: Int) {
        for content in unknownContent {
            report("\(elementName(start)) with \(content), preserved", at: start)
        }
    }

    private func elementName(_ start: Int) -> String {
        TagScanner.hasPrefix("<Record", window.base, at: start, end: window.count) ? "Record" : "Correlation"
    }

    /// Reads the record or correlation at `start` again, to keep it as markup.
    ///
    /// - Parameters:
    ///   - reason: Why it is kept, as the end of a note about it.
    ///   - skipped: Why it counts as skipped.
    mutating func preserveDocument(
        at start: Int, identifier: String, because reason: String? = nil, skipping skipped: String? = nil
    ) {
        guard let element = markup(at: start) else {
            return skip(identifier, at: start, because: skipped ?? "its elements are nested too deeply")
        }
        if let reason { reportPreserved(identifier, reason, at: start) }
        if let skipped { skip(identifier, at: start, because: skipped + Self.keptAsItIs) }
        addDocument(element, identifier: identifier, at: start)
    }

    /// The element at `start`, which has been read before; `nil` if its elements are nested too deeply.
    mutating func markup(at start: Int) -> ArchivedElement? {
        var parts = options.maximumPartCount
        guard
            case .tag(let tag) = TagScanner.scan(window.base, at: start, end: window.count, into: &attributes),
            case .element(let element, _) = ElementReader.read(
                window.base, from: tag, end: window.count, &attributes, parts: &parts)
        else { return nil }
        return element
    }

    /// Counts an element that is kept as markup although its type is known.
    mutating func reportPreserved(_ identifier: String, _ reason: String, at start: Int) {
        report("\(identifier) \(reason), preserved as it is", at: start)
    }
}
