/// Pieces of export files.
enum ArchiveText {
    static let device =
        "&lt;&lt;HKDevice: 0x282e3a260&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,7, software:9.3.1&gt;"

    /// A whole file around these elements, a line each.
    static func file(_ elements: [String], dtd: String = "<!ELEMENT HealthData (ExportDate,Me,(Record)*)>\n") -> String
    {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 14 -->
        \(dtd)]>
        <HealthData locale="en_US">
         <ExportDate value="2026-01-15 09:12:33 +0100"/>
        \(elements.map { " " + $0 + "\n" }.joined())</HealthData>

        """
    }

    /// A record as Apple lays it out; `nil` leaves an attribute out.
    static func record(
        type: String = "HKQuantityTypeIdentifierStepCount", source: String = "iPhone", version: String? = "17.2",
        device: String? = nil, unit: String? = "count", creation: String? = "2024-03-01 10:15:00 +0100",
        start: String = "2024-03-01 10:00:00 +0100", end: String = "2024-03-01 10:10:00 +0100",
        value: String? = "72", children: [String] = []
    ) -> String {
        var text = "<Record type=\"\(type)\" sourceName=\"\(source)\""
        if let version { text += " sourceVersion=\"\(version)\"" }
        if let device { text += " device=\"\(device)\"" }
        if let unit { text += " unit=\"\(unit)\"" }
        if let creation { text += " creationDate=\"\(creation)\"" }
        text += " startDate=\"\(start)\" endDate=\"\(end)\""
        if let value { text += " value=\"\(value)\"" }
        if children.isEmpty { return text + "/>" }
        return text + ">\n" + children.map { "  " + $0 + "\n" }.joined() + " </Record>"
    }

    static func entry(_ key: String, _ value: String) -> String {
        "<MetadataEntry key=\"\(key)\" value=\"\(value)\"/>"
    }

    /// Seconds since 2001 of a moment in UTC, counted day by day.
    static func instant(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0)
        -> Double
    {
        func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        var days = 0
        if year >= 2001 {
            for earlier in 2001..<year { days += isLeap(earlier) ? 366 : 365 }
        } else {
            for earlier in year..<2001 { days -= isLeap(earlier) ? 366 : 365 }
        }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        days += lengths[..<(month - 1)].reduce(0, +) + day - 1
        return Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
    }
}
