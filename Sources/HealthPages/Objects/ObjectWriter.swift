import Foundation
import HealthModel

/// Writes object bodies, strings by their number in the object's pool. Twin of ``ObjectReader``.
struct ObjectWriter {
    var bytes = ByteWriter()
    var pool = StringPoolWriter()

    mutating func metadata(_ metadata: Metadata) {
        MetadataWriter.write(metadata, to: &bytes, pool: &pool)
    }

    mutating func body(_ body: ObjectBody) {
        switch body {
        case .none:
            bytes.byte(ObjectBodyKind.none.rawValue)
        case .workout(let workout):
            bytes.byte(ObjectBodyKind.workout.rawValue)
            self.workout(workout)
        case .activitySummary(let summary):
            bytes.byte(ObjectBodyKind.activitySummary.rawValue)
            self.summary(summary)
        case .document(let document):
            bytes.byte(ObjectBodyKind.document.rawValue)
            self.document(document)
        case .archived(let element):
            bytes.byte(ObjectBodyKind.archived.rawValue)
            self.element(element)
        }
    }

    mutating func string(_ string: String) {
        bytes.unsigned(pool.number(string))
    }

    mutating func quantity(_ quantity: QuantityRecord) {
        bytes.number(quantity.value)
        string(quantity.unit)
    }

    /// A byte whose bits say which are there, then those.
    mutating func quantities(_ quantities: [QuantityRecord?]) {
        var present: UInt8 = 0
        for (place, quantity) in quantities.enumerated() where quantity != nil { present |= 1 << UInt8(place) }
        bytes.byte(present)
        for quantity in quantities {
            if let quantity { self.quantity(quantity) }
        }
    }

    mutating func list<Element>(_ elements: [Element], _ write: (inout ObjectWriter, Element) -> Void) {
        bytes.unsigned(elements.count)
        for element in elements { write(&self, element) }
    }
}
