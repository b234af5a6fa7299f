import HealthEngine
import HealthFiles
import HealthModel

/// Content of an archive's header beyond the profile, stored with the import history and added again to an export:
/// attributes under `ELEMENT.NAME`, children as markup under `ELEMENT#children`.
enum HeaderMetadata {
    /// The name of the root element.
    static let root = "HealthData"
    /// The name of the element with the export date.
    static let export = "ExportDate"
    /// The name of the element with the characteristics.
    static let person = "Me"

    private static let locale = ImportHistory.localeKey
    private static let date = "exportDate"
    private static let defaultLocale = "en_US"

    /// The metadata of a header, without what the profile holds.
    static func entries(of header: ArchiveHeader) -> [String: String] {
        var metadata: [String: String] = [:]
        metadata[locale] = header.locale
        metadata[date] = header.exportDate
        preserve(header.others, of: root, in: &metadata)
        preserve(header.export?.attributes.filter { $0.name != "value" } ?? [], of: export, in: &metadata)
        preserve(header.characteristics.filter { !PersonReader.isSet($0) }, of: person, in: &metadata)
        for element in [header.export, header.person].compactMap({ $0 }) where !element.children.isEmpty {
            metadata[element.name + "#children"] = element.children.map(ElementText.print).joined()
        }
        return metadata
    }

    /// The root element without its children.
    static func root(_ metadata: [String: String]) -> ArchivedElement {
        var element = ArchivedElement(name: root)
        element.append(locale, metadata[locale] ?? defaultLocale)
        complete(&element, from: metadata)
        return element
    }

    /// Adds the attributes that an element lacks, and the children.
    static func complete(_ element: inout ArchivedElement, from metadata: [String: String]) {
        let prefix = element.name + "."
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) where key.hasPrefix(prefix) {
            let name = String(key.dropFirst(prefix.count))
            if element[name] == nil { element.append(name, value) }
        }
        if let markup = metadata[element.name + "#children"] {
            element.children += ElementText.parse("<\(element.name)>\(markup)</\(element.name)>")?.children ?? []
        }
    }

    private static func preserve(
        _ attributes: [ArchivedElement.Attribute], of name: String, in metadata: inout [String: String]
    ) {
        for attribute in attributes where metadata["\(name).\(attribute.name)"] == nil {
            metadata["\(name).\(attribute.name)"] = attribute.value
        }
    }
}

/// Reads the attributes of the `Me` element into a profile.
enum PersonReader {
    private static let prefix = "HKCharacteristicTypeIdentifier"

    /// Whether an attribute is a characteristic with a value other than “not set”.
    static func isSet(_ attribute: ArchivedElement.Attribute) -> Bool {
        var empty = Profile()
        return read(attribute, into: &empty)
    }

    /// Sets the profile's field for an attribute if it is empty. Returns whether the field was set.
    static func read(_ attribute: ArchivedElement.Attribute, into profile: inout Profile) -> Bool {
        guard attribute.name.hasPrefix(prefix) else { return false }
        let text = attribute.value
        switch attribute.name.dropFirst(prefix.count) {
        case "DateOfBirth": return assign(&profile.dateOfBirth, CharacteristicText.day(text))
        case "BiologicalSex": return assign(&profile.biologicalSex, CharacteristicNames.sex.value(text))
        case "BloodType": return assign(&profile.bloodType, CharacteristicNames.bloodType.value(text))
        case "FitzpatrickSkinType":
            return assign(&profile.fitzpatrickSkinType, CharacteristicNames.skinType.value(text))
        case "WheelchairUse": return assign(&profile.wheelchairUse, CharacteristicNames.wheelchairUse.value(text))
        case "ActivityMoveMode": return assign(&profile.activityMoveMode, CharacteristicNames.moveMode.value(text))
        case "CardioFitnessMedicationsUse":
            return assign(&profile.cardioFitnessMedicationsUse, CharacteristicText.medicationsUse(text))
        default: return false
        }
    }

    /// The characteristics that identify the archive's owner.
    static func person(_ attributes: [ArchivedElement.Attribute]) -> ImportedPerson {
        var profile = Profile()
        for attribute in attributes { _ = read(attribute, into: &profile) }
        return ImportedPerson(profile)
    }

    private static func assign<Value>(_ field: inout Value?, _ value: Value?) -> Bool {
        guard field == nil, let value else { return false }
        field = value
        return true
    }
}
