import HealthModel

/// What a prescription is for, as an archive may say it. Which word Apple writes was never seen: the name of
/// the kind in any case, alone or after the enumeration's name, and the raw value are taken.
enum VisionPrescriptionTypeText {
    private static let enumeration = "hkvisionprescriptiontype"

    static func rawValue(of text: String) -> Int64? {
        let text = text.lowercased()
        switch text.hasPrefix(enumeration) ? String(text.dropFirst(enumeration.count)) : text {
        case "glasses", "1": return VisionPrescriptionDocument.glasses
        case "contacts", "2": return VisionPrescriptionDocument.contacts
        default: return nil
        }
    }

    static func print(_ rawValue: Int64) -> String {
        switch rawValue {
        case VisionPrescriptionDocument.glasses: "Glasses"
        case VisionPrescriptionDocument.contacts: "Contacts"
        default: String(rawValue)
        }
    }
}
