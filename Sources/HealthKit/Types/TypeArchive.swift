import Foundation
import HealthModel

/// How a type lies in a keyed archive: by identifier. Number and family stand beside it for types that only
/// one store knows.
enum TypeArchive {
    static let identifierKey = "identifier"
    static let codeKey = "code"
    static let kindKey = "kind"

    static func description(from coder: NSCoder) -> TypeDescription? {
        guard let identifier = text(identifierKey, coder), !identifier.isEmpty else { return nil }
        if let known = TypeCatalog.description(for: identifier) { return known }
        guard let code = text(codeKey, coder).flatMap(UInt32.init), code >= TypeCode.firstUnknown.rawValue,
            let kind = text(kindKey, coder).flatMap(UInt8.init).flatMap(TypeKind.init)
        else { return nil }
        return TypeDescription(code: TypeCode(rawValue: code), identifier: identifier, kind: kind)
    }

    private static func text(_ key: String, _ coder: NSCoder) -> String? {
        coder.decodeObject(of: NSString.self, forKey: key) as String?
    }
}
