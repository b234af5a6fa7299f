import HealthModel
import HealthStorage

/// Gathers the matching objects of one type.
struct ObjectSelector {
    private let part: SelectionPart
    private let reader: MemberReader
    private(set) var rows: [ObjectRow] = []

    init(_ part: SelectionPart, reader: MemberReader) {
        self.part = part
        self.reader = reader
    }

    /// Every matching object, ordered by start, or by sequence if the part begins after one.
    mutating func selectAll() throws {
        if let sequences = part.fewSequences {
            for sequence in sequences {
                guard let object = try reader.snapshot.object(sequence: sequence), object.type == part.type else {
                    continue
                }
                try take(object)
            }
            return
        }
        try reader.snapshot.visitObjects(of: part.type, in: part.window) { object in
            try take(object)
            return true
        }
    }

    private mutating func take(_ object: StoredObject) throws {
        guard object.sequence > part.after else { return }
        var row = ObjectRow(object, reader: reader)
        if try part.test.matches(&row) { rows.append(row) }
    }
}
