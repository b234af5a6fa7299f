import Foundation

/// Steps over one element, or one comment or declaration, that is too large to be kept in memory. It sees
/// the bytes once, piece by piece, and keeps nothing but where it stands.
///
/// Like ``TagScanner`` it takes a `<` within a tag for damage. How deep elements lie in each other makes
/// no difference to it.
struct ElementSkipper {
    /// What stepping on came to.
    enum Outcome: Equatable {
        /// It ends before this offset.
        case done(end: Int)
        /// The piece ends within it.
        case needsMore
        /// A tag in it is broken at this offset.
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
        /// After `<!-`, which only a comment begins with.
        case documentType
        /// In what ends with one byte twice, or once, and then `>`.
        case aside(UInt8, times: Int)
    }

    private var place = Place.text
    private var depth = 0
    /// The last two bytes seen, for marks cut in two by the end of a piece.
    private var last: (UInt8, UInt8) = (0, 0)

    /// Steps on from `start`, which is the element's `<` at first and a piece's beginning afterwards.
    mutating func skip(_ base: UnsafePointer<UInt8>, from start: Int, end: Int) -> Outcome {
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
