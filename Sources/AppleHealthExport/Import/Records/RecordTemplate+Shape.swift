import Foundation

extension RecordTemplate {
    /// How a record's tag is laid out, when it is laid out as Apple does it: what repeats first, then
    /// the dates, then the value, one blank between, double quotes.
    struct Shape {
        var start: Int
        /// Just past the quote that opens the first date.
        var prefixEnd: Int
        /// The device's address, where there is one.
        var address: ByteRange
        var hasCreation: Bool

        static let toStart: StaticString = "\" startDate=\""
        static let toEnd: StaticString = "\" endDate=\""
        static let toValue: StaticString = "\" value=\""

        /// `nil` where the tag is laid out in another way.
        init?(
            _ base: UnsafePointer<UInt8>, _ start: Int, _ tag: ScannedTag, _ attributes: borrowing TagAttributes
        ) {
            let count = attributes.count
            guard count >= 4 else { return nil }
            let (from, to, value) = (
                attributes[count - 3].value, attributes[count - 2].value, attributes[count - 1].value
            )
            guard Self.follows(from, to, Self.toEnd, base), Self.follows(to, value, Self.toValue, base),
                base[value.end] == UInt8(ascii: "\""), tag.end - value.end == (tag.kind == .empty ? 3 : 2)
            else { return nil }
            var prefix = count - 3
            let before = attributes[count - 4]
            hasCreation =
                before.value.count == DateCursor.length && Self.follows(before.value, from, Self.toStart, base)
                && before.name.bytes(in: base).elementsEqual("creationDate".utf8)
            if hasCreation { prefix -= 1 }
            guard base[attributes[prefix].value.start - 1] == UInt8(ascii: "\""),
                hasCreation || attributes[prefix].name.bytes(in: base).elementsEqual("startDate".utf8)
            else { return nil }
            self.start = start
            prefixEnd = attributes[prefix].value.start
            address = .none
            for index in 0..<prefix {
                // Two dates or values, or anything unknown, are no matter for the short way.
                let name = attributes[index].name.bytes(in: base)
                guard Self.repeating.contains(where: { name.elementsEqual($0.utf8) }) else { return nil }
                for earlier in 0..<index where attributes[earlier].name.bytes(in: base).elementsEqual(name) { return nil }
                if name.elementsEqual("device".utf8) {
                    address = DeviceAddress.digits(in: attributes[index].value, base)
                }
            }
            guard prefixEnd - start <= RecordTemplate.longest / 2 else { return nil }
        }

        private static let repeating = ["type", "sourceName", "sourceVersion", "device", "unit"]

        /// Whether exactly `text` stands between two values.
        private static func follows(
            _ first: ByteRange, _ second: ByteRange, _ text: StaticString, _ base: UnsafePointer<UInt8>
        ) -> Bool {
            second.start - first.end == text.utf8CodeUnitCount
                && memcmp(base + first.end, text.utf8Start, text.utf8CodeUnitCount) == 0
        }
    }
}
