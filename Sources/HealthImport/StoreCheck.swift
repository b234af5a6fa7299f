package import HealthEngine
import HealthModel
import HealthPages
import HealthStorage

extension HealthEngine {
    /// Reads the whole store and reports its defects: pages that cannot be decoded or are out of order, headers that
    /// disagree with their pages, numbers without a dictionary entry, and identities and links to nothing. An empty
    /// list means that the store is sound.
    ///
    /// The findings are sentences, which name types and sequence numbers, never health data.
    package func check() throws -> [String] {
        try storage.read { snapshot in
            var check = StoreCheck(
                snapshot: snapshot, dictionaries: try snapshot.dictionaries(),
                lastSequence: try snapshot.lastSequence())
            try check.run()
            return check.findings
        }
    }
}

/// Checks one state of a store for defects.
struct StoreCheck {
    let snapshot: any StorageSnapshot
    let dictionaries: StoreDictionaries
    let lastSequence: Int64
    private(set) var findings: [String] = []

    /// The sequences of all samples and objects read so far.
    private var seen = SequenceBits()
    /// The number of findings that are listed.
    private let limit = 100

    init(snapshot: any StorageSnapshot, dictionaries: StoreDictionaries, lastSequence: Int64) {
        self.snapshot = snapshot
        self.dictionaries = dictionaries
        self.lastSequence = lastSequence
    }

    mutating func run() throws {
        let types = try snapshot.typesInUse()
        for type in types {
            try checkPages(of: type)
            try checkObjects(of: type)
        }
        for type in types {
            try checkLinks(ofOwnersOf: type)
        }
        try checkTombstones()
    }

    private mutating func report(_ finding: String) {
        if findings.count < limit {
            findings.append(finding)
        } else if findings.count == limit {
            findings.append("There are further findings, which are not listed.")
        }
    }

    private func name(_ type: TypeCode) -> String {
        dictionaries.type(type)?.identifier ?? type.description
    }

    // MARK: Pages

    private mutating func checkPages(of type: TypeCode) throws {
        let name = name(type)
        if dictionaries.type(type) == nil { report("\(name) has no type description.") }
        var number = 0
        var last: (start: Double, sequence: Int64)?
        try snapshot.visitPages(of: type, in: .all, bodies: true) { view in
            number += 1
            let place = "Page \(number) of \(name)"
            do {
                let header = try PageHeader(of: view)
                let page = try PageReader(header: header, body: view.body).read(.all)
                try checkPage(page, header: header, view: view, place: place)
                if let last, (page.starts[0], page.sequences[0]) <= (last.start, last.sequence) {
                    report("\(place) begins before the page before it ends.")
                }
                last = (page.starts[page.starts.count - 1], page.sequences[page.starts.count - 1])
            } catch let error as PageError {
                report("\(place) cannot be read: \(error).")
            }
            return true
        }
    }

    private mutating func checkPage(
        _ page: SampleColumns, header: PageHeader, view: PageView, place: String
    ) throws {
        let count = page.starts.count
        guard header.type == view.key.type, count == header.count, count > 0 else {
            return report("\(place) has a type or length that does not match its header.")
        }
        if page.starts[0] != view.key.firstStart || page.sequences[0] != view.key.firstSequence
            || PageBounds(header) != view.bounds
        {
            report("\(place) is stored under a key or bounds that do not match its samples.")
        }
        var maximumEnd = -Double.infinity
        for row in 0..<count {
            maximumEnd = max(maximumEnd, page.ends[row])
            let isOrdered =
                row == 0 || (page.starts[row - 1], page.sequences[row - 1]) < (page.starts[row], page.sequences[row])
            if !isOrdered || !(page.starts[row] <= page.ends[row]) {
                report("\(place) has samples that are out of order.")
                break
            }
        }
        if page.starts[count - 1] != header.lastStart || maximumEnd != header.maximumEnd
            || page.sequences.min() != header.minimumSequence || page.sequences.max() != header.maximumSequence
        {
            report("\(place) has bounds that do not match its header.")
        }
        for sequence in page.sequences {
            checkSequence(sequence, place)
        }
        if (page.revisions.max() ?? 0) > dictionaries.revisions.count || page.revisions.contains(0)
            || (page.devices.max() ?? 0) > dictionaries.devices.count
            || (page.units.max() ?? 0) > dictionaries.units.count
        {
            report("\(place) refers to a source, device or unit that is not stored.")
        }
        for (row, uuid) in page.uuids.enumerated() {
            guard let uuid else { continue }
            let expected = StoredIdentity(type: page.type, sequence: page.sequences[row])
            if try snapshot.locate(uuid) != expected {
                report("The identity of sample \(page.sequences[row]) in \(place) refers to something else.")
            }
        }
    }

    private mutating func checkSequence(_ sequence: Int64, _ place: String) {
        if sequence < 1 || sequence > lastSequence {
            report("\(place) uses a sequence number that was never taken.")
        } else if !seen.insert(sequence) {
            report("\(place) uses sequence number \(sequence), which is already in use.")
        }
    }

    // MARK: Objects, links, deletions

    private mutating func checkObjects(of type: TypeCode) throws {
        let name = name(type)
        try snapshot.visitObjects(of: type, in: .all) { object in
            let place = "Object \(object.sequence) of \(name)"
            checkSequence(object.sequence, place)
            do {
                _ = try ObjectCoder.decode(object.payload)
            } catch let error as PageError {
                report("\(place) cannot be read: \(error).")
            }
            if !(object.start <= object.end) { report("\(place) ends before it starts.") }
            if object.revision > 0 && dictionaries.revision(object.revision) == nil
                || object.device > 0 && dictionaries.device(object.device) == nil
            {
                report("\(place) refers to a source or device that is not stored.")
            }
            if let uuid = object.uuid,
                try snapshot.locate(uuid) != StoredIdentity(type: type, sequence: object.sequence)
            {
                report("The identity of \(place) refers to something else.")
            }
            return true
        }
    }

    private mutating func checkLinks(ofOwnersOf type: TypeCode) throws {
        let name = name(type)
        try snapshot.visitObjects(of: type, in: .all) { object in
            for link in try snapshot.links(ofOwner: object.sequence) where !seen.contains(link.member) {
                report("Object \(object.sequence) of \(name) has member \(link.member), which is not stored.")
            }
            return true
        }
    }

    private mutating func checkTombstones() throws {
        let lastSequence = lastSequence
        var invalid = 0
        try snapshot.visitTombstones(after: 0, types: nil) { tombstone in
            if tombstone.sequence > lastSequence { invalid += 1 }
            return true
        }
        if invalid > 0 { report("\(invalid) deletions have sequence numbers that were never taken.") }
    }
}
