import Foundation

/// An electrocardiogram's file taken apart: the lines above the voltages, and the voltages.
struct ElectrocardiogramFile: Equatable {
    /// Everything before the first voltage, as it stands there.
    var headingText: String
    var heading: ElectrocardiogramHeading
    /// Volts; NaN for an empty line between two voltages.
    var volts: [Double]
    /// How the voltages are written.
    var style: VoltageText

    /// An hour of measurements at the usual rate.
    static let greatestCount = 1 << 21

    /// Any bytes either are one or throw.
    init(_ bytes: [UInt8]) throws(CompanionError) {
        let lines = Self.lines(bytes)
        guard let first = lines.firstIndex(where: { Self.isNumber(bytes, $0) }) else {
            throw CompanionError("its file holds no voltages")
        }
        guard lines[first].lowerBound < 1 << 16 else { throw CompanionError("its file is no electrocardiogram") }
        headingText = String(decoding: bytes[..<lines[first].lowerBound], as: UTF8.self)
        heading = try ElectrocardiogramHeading(headingText)
        let exponent = heading.unitExponent

        var volts: [Double] = []
        volts.reserveCapacity(min(lines.count - first, Self.greatestCount))
        var style = VoltageText()
        var decimals: Int?
        var areEqual = true
        var empty = 0
        for line in lines[first...] {
            if line.isEmpty {
                empty += 1
                continue
            }
            if empty > 0, volts.count + empty <= Self.greatestCount {
                volts.append(contentsOf: repeatElement(.nan, count: empty))
            }
            empty = 0
            guard volts.count < Self.greatestCount else {
                throw CompanionError("its file has more than \(Self.greatestCount) voltages")
            }
            let plain = bytes.withUnsafeBufferPointer {
                VoltageText.parsePlain(UnsafeBufferPointer(rebasing: $0[line]), exponent: exponent)
            }
            if let plain {
                volts.append(plain.value)
                areEqual = areEqual && (decimals == nil || decimals == plain.decimals)
                decimals = plain.decimals
                if plain.separator == UInt8(ascii: ",") { style.separator = "," }
                continue
            }
            let text = String(decoding: bytes[line], as: UTF8.self)
            guard let value = VoltageText.parse(text, exponent: exponent), value.isFinite else {
                throw CompanionError("its file holds a line that is no voltage")
            }
            volts.append(value)
            if text.contains("\u{2212}") { style.minus = "\u{2212}" }
            let shown = VoltageText.plain(text)?.split(separator: ".", maxSplits: 1).dropFirst().first?.utf8.count ?? 0
            areEqual = areEqual && (decimals == nil || decimals == shown)
            decimals = shown
            if text.contains(",") { style.separator = "," }
        }
        style.decimals = areEqual ? decimals : nil
        self.style = style
        self.volts = volts
    }

    /// The lines, without their ends.
    private static func lines(_ bytes: [UInt8]) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            while start < buffer.count {
                let end = TagScanner.find(0x0A, base, from: start, end: buffer.count)
                let isPair = end > start && buffer[end - 1] == 0x0D
                lines.append(start..<(isPair ? end - 1 : end))
                start = end + 1
            }
        }
        return lines
    }

    /// Whether a line is only digits, sign and point. The lines above the voltages all begin with a word.
    private static func isNumber(_ bytes: [UInt8], _ line: Range<Int>) -> Bool {
        guard !line.isEmpty, line.count <= 64 else { return false }
        let isPlain = bytes.withUnsafeBufferPointer {
            VoltageText.parsePlain(UnsafeBufferPointer(rebasing: $0[line]), exponent: 0) != nil
        }
        return isPlain || VoltageText.plain(String(decoding: bytes[line], as: UTF8.self)) != nil
    }
}
