import HealthModel
import HealthPages
import HealthStorage

/// Looks through one state of a store for what should not be.
struct StoreCheck {
    let snapshot: any StorageSnapshot
    let dictionaries: StoreDictionaries
    let lastSequence: Int64
    private(set) var findings: [String] = []

    /// Every sequence of a sample or object met so far.
    private var met = SequenceBits()
    /// Further findings of a kind are counted, not listed.
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
            findings.append("There are more findings than are listed here.")
        }
    }

    private func name(_ type: TypeCode) -> String {
        dictionaries.type(type)?.identifier ?? type.description
    }

    // MARK: Pages

    private mutating func checkPages(of type: TypeCode) throws {
        let name = name(type)
        if dictionaries.type(type) == nil { report("\(name) is not described.") }
        var number = 0
        var last: (start: Double, sequence: Int64)?
        try snapshot.visitPages(of: type, in: .all, bodies: true) { view in
            number += 1
            let place = "Page \(number) of \(name)"
            do {
                let header = try PageHeader(decoding: view.header)
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
            return report("\(place) is of another type or length than its header says.")
        }
        if page.starts[0] != view.key.firstStart || page.sequences[0] != view.key.firstSequence
            || PageBounds(header) != view.bounds
        {
            report("\(place) stands at a place in the tree that is not its own.")
        }
        var greatestEnd = -Double.infinity
        for row in 0..<count {
            greatestEnd = max(greatestEnd, page.ends[row])
            let isOrdered =
                row == 0
                || (page.starts[row - 1], page.sequences[row - 1]) < (page.starts[row], page.sequences[row])
            if !isOrdered || !(page.starts[row] <= page.ends[row]) {
                report("\(place) has samples out of order.")
                break
            }
        }
        if page.starts[count - 1] != header.lastStart || greatestEnd != header.greatestEnd
            || page.sequences.min() != header.leastSequence
            || page.sequences.max() != header.greatestSequence
        {
            report("\(place) has other bounds than its header says.")
        }
        for sequence in page.sequences {
            note(sequence, place)
        }
        if (page.revisions.max() ?? 0) > dictionaries.revisions.count || page.revisions.contains(0)
            || (page.devices.max() ?? 0) > dictionaries.devices.count
            || (page.units.max() ?? 0) > dictionaries.units.count
        {
            report("\(place) names a source, device or unit that the store does not have.")
        }
        for (row, uuid) in page.uuids.enumerated() {
            guard let uuid else { continue }
            let expected = StoredIdentity(type: page.type, sequence: page.sequences[row])
            if try snapshot.locate(uuid) != expected {
                report("The identity of sample \(page.sequences[row]) of \(place) leads elsewhere.")
            }
        }
    }

    private mutating func note(_ sequence: Int64, _ place: String) {
        if sequence < 1 || sequence > lastSequence {
            report("\(place) uses a sequence number that was never given out.")
        } else if !met.insert(sequence) {
            report("\(place) uses sequence number \(sequence) a second time.")
        }
    }

    // MARK: Objects, links, deletions

    private mutating func checkObjects(of type: TypeCode) throws {
        let name = name(type)
        try snapshot.visitObjects(of: type, in: .all) { object in
            let place = "Object \(object.sequence) of \(name)"
            note(object.sequence, place)
            do {
                _ = try ObjectCoder.decode(object.payload)
            } catch let error as PageError {
                report("\(place) cannot be read: \(error).")
            }
            if !(object.start <= object.end) { report("\(place) ends before it starts.") }
            if object.revision > 0 && dictionaries.revision(object.revision) == nil
                || object.device > 0 && dictionaries.device(object.device) == nil
            {
                report("\(place) names a source or device that the store does not have.")
            }
            if let uuid = object.uuid,
                try snapshot.locate(uuid) != StoredIdentity(type: type, sequence: object.sequence)
            {
                report("The identity of \(place) leads elsewhere.")
            }
            return true
        }
    }

    private mutating func checkLinks(ofOwnersOf type: TypeCode) throws {
        let name = name(type)
        try snapshot.visitObjects(of: type, in: .all) { object in
            for link in try snapshot.links(ofOwner: object.sequence) where !met.contains(link.member) {
                report("Object \(object.sequence) of \(name) has member \(link.member), which is not stored.")
            }
            return true
        }
    }

    private mutating func checkTombstones() throws {
        let lastSequence = lastSequence
        var strayed = 0
        try snapshot.visitTombstones(after: 0, types: nil) { tombstone in
            if tombstone.sequence > lastSequence { strayed += 1 }
            return true
        }
        if strayed > 0 { report("\(strayed) deletions have sequence numbers that were never given out.") }
    }
}
