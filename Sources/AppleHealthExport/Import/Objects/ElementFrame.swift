import HealthModel

/// What workouts, correlations and documents have in common: when, by whom, with what.
struct ElementFrame {
    static let attributeNames: Set<String> = [
        "sourceName", "sourceVersion", "device", "creationDate", "startDate", "endDate",
    ]

    var start: Double
    var end: Double
    var revision: SourceRevisionRecord
    var device: DeviceRecord?
    var creation: Double?

    /// Reads the common attributes; throws what is wrong with them.
    init(_ element: ArchivedElement) throws(ObjectRefusal) {
        guard let name = element["sourceName"] else { throw ObjectRefusal("it has no sourceName") }
        guard let startText = element["startDate"] else { throw ObjectRefusal("it has no startDate") }
        guard let endText = element["endDate"] else { throw ObjectRefusal("it has no endDate") }
        guard let start = DateText.parse(startText) else { throw ObjectRefusal("its startDate is no date") }
        guard let end = DateText.parse(endText) else { throw ObjectRefusal("its endDate is no date") }
        guard start <= end else { throw ObjectRefusal("it ends before it starts") }
        if let text = element["creationDate"] {
            creation = DateText.parse(text)
            if creation == nil { throw ObjectRefusal("its creationDate is no date") }
        }
        self.start = start
        self.end = end
        device = element["device"].flatMap(DeviceText.parse)
        revision = SourceText.revision(name: name, version: element["sourceVersion"], device: device)
    }
}
