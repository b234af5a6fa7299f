import Foundation

/// Skips an element, comment or declaration that is too large for memory. It reads the bytes once, piece by piece, and
/// keeps only its state.
///
/// Like ``TagScanner``, it treats a `<` within a tag as damage. Nesting depth is not limited.
package struct ElementSkipper {
    /// The result of skipping a piece.
    package enum Outcome: Equatable {
        /// The element ends before this offset.
        case done(end: Int)
        /// The piece ends within the element.
        case needsMore
        /// A tag in the element is damaged at this offset.
        case damaged(at: Int)
    }

    private enum Place {
        case text
        /// After a `<`.
        case opening
        case tag
        case quoted(UInt8)
        case closeTag
        /// After `<!`.
        case declaration
        /// After `<!`, in what is neither a comment nor a CDATA section.
        case documentType
        /// In markup that ends with a byte, once or twice, and `>`.
        case aside(UInt8, times: Int)
    }

    private var place = Place.text
    private var depth = 0
    /// The last two bytes, for end marks that are split between two pieces.
    private var last: (UInt8, UInt8) = (0, 0)

    package init() {}

    /// Continues at `start`: at the element's `<` in the first piece, at the beginning of each further piece.
    package mutating func skip(_ base: UnsafePointer<UInt8>, from start: Int, end: Int) -> Outcome {
        var position = start
        while position < end {
            let byte = base[position]
            switch place {
            case .text:
                position = TagScanner.find(UInt8(ascii: "<"), base, from: position, end: end)
                if position < end { place = .opening }
            case .opening:
                switch byte {
                case UInt8(ascii: "/"): place = .closeTag
                case UInt8(ascii: "!"): place = .declaration
                case UInt8(ascii: "?"): place = .aside(UInt8(ascii: "?"), times: 1)
                case UInt8(ascii: "<"): return .damaged(at: position)
                default: place = .tag
                }
            case .tag:
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "'"): place = .quoted(byte)
                case UInt8(ascii: "<"): return .damaged(at: position)
                case UInt8(ascii: ">"):
                    if last.1 != UInt8(ascii: "/") { depth += 1 }
                    place = .text
                    if depth == 0 { return .done(end: position + 1) }
                default: break
                }
            case .quoted(let quote):
                let close = TagScanner.find(quote, base, from: position, end: end)
                let broken = TagScanner.find(UInt8(ascii: "<"), base, from: position, end: close)
                if broken < close { return .damaged(at: broken) }
                position = close
                if close < end { place = .tag }
            case .closeTag:
                switch byte {
                case UInt8(ascii: "<"): return .damaged(at: position)
                case UInt8(ascii: ">"):
                    depth -= 1
                    place = .text
                    if depth <= 0 { return .done(end: position + 1) }
                default: break
                }
            case .declaration:
                switch byte {
                case UInt8(ascii: "-"): place = .aside(UInt8(ascii: "-"), times: 2)
                case UInt8(ascii: "["): place = .aside(UInt8(ascii: "]"), times: 2)
                default: place = .documentType
                }
            case .documentType:
                if byte == UInt8(ascii: "[") {
                    place = .aside(UInt8(ascii: "]"), times: 1)
                } else if byte == UInt8(ascii: ">") {
                    place = .text
                    if depth == 0 { return .done(end: position + 1) }
                }
            case .aside(let mark, let times):
                if byte == UInt8(ascii: ">"), last.1 == mark, times == 1 || last.0 == mark {
                    place = .text
                    if depth == 0 { return .done(end: position + 1) }
                }
            }
            guard position < end else { return .needsMore }
            last = (last.1, base[position])
            position += 1
        }
        return .needsMore
    }
}

/// The markup at a window's position is larger than ``ScanWindow/maximumElementSize``.
package struct OversizedElement: Error {}
