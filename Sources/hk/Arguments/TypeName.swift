import ArgumentParser
import Foundation
import HealthEngine
import HealthFormats
import HealthKit
import HealthModel
import HealthImport

/// Short names of data types, such as `stepCount`.
enum TypeName {
    /// The short name of a type: its identifier without the prefix, starting with a lowercase letter.
    static func short(_ identifier: String) -> String {
        TypeDescription.shortName(of: identifier)
    }

    /// Up to three types by name, more by their number.
    static func list(_ identifiers: some Collection<String>) -> String {
        switch identifiers.count {
        case 0: "nothing"
        case 1...3: identifiers.map(short).sorted().joined(separator: " ")
        default: "\(identifiers.count) types"
        }
    }

    /// The type that a person means; see ``TypeSearch``.
    ///
    /// - Parameter engine: The store whose data says which types are suggested first.
    /// - Throws: ``UsageError``, with suggestions, if there is none.
    static func resolve(
        _ text: String, dictionaries: StoreDictionaries, engine: HealthEngine? = nil
    ) throws -> TypeDescription {
        if let found = dictionaries.type(named: text) { return found }
        if let quoting { throw UsageError("“\(text)” is not a data type. \(quoting)") }
        let near = TypeSearch(text, in: dictionaries).suggestions
        let counts = try Dictionary(
            (engine?.typeOverview(as: .person) ?? []).map { ($0.type.shortName, $0.count) }, uniquingKeysWith: +)
        let shown = near.filter { counts[$0] != nil }.map {
            "\($0) (\(NumberOutput.counted(counts[$0] ?? 0, "sample")))"
        }
        let hint =
            !ValueNames.activities(called: text).isEmpty
            ? "“hk workouts --activity \(text)” shows workouts."
            : near.isEmpty
                ? "“hk types” lists the types in the store."
                : "Did you mean \((shown + near.filter { counts[$0] == nil }).joined(separator: ", "))?"
        throw UsageError("“\(text)” is not a data type. \(hint)")
    }

    /// The command as it is written if several arguments name a type only together: `hk stats "heart rate"`.
    static var quoting: String? {
        let words = Array(CommandLine.arguments.dropFirst())
        for first in words.indices.dropFirst() {
            for end in (first + 2..<first + 7).reversed() where end <= words.count {
                let (command, name) = (words[..<first], words[first..<end])
                guard !name.contains(where: { $0.hasPrefix("-") }) else { continue }
                let type = name.joined(separator: " ")
                guard StoreDictionaries().type(named: type) != nil else { continue }
                return "Write the type in quotation marks: hk \(command.joined(separator: " ")) \"\(type)\""
            }
        }
        return nil
    }

    /// The type of samples that a person means.
    ///
    /// - Throws: ``UsageError`` for a characteristic, which has none, and as ``resolve(_:dictionaries:engine:)``.
    static func resolveSampled(
        _ text: String, dictionaries: StoreDictionaries, engine: HealthEngine? = nil
    ) throws -> TypeDescription {
        let type = try resolve(text, dictionaries: dictionaries, engine: engine)
        guard type.kind == .characteristic else { return type }
        throw UsageError("“\(short(type.identifier))” has no samples. “hk profile” shows it.")
    }
}

/// A unit as people type it.
enum UnitArgument {
    /// The unit string of HealthKit.
    ///
    /// - Throws: ``UsageError`` if the text is not a unit of the type.
    static func unit(_ text: String, of type: TypeDescription) throws -> String {
        guard type.kind == .quantity, let unit = try? UnitExpression(words: text, of: type).string,
            type.canonicalUnit.map({ UnitConversion(between: $0, and: unit) != nil }) ?? true
        else {
            let own = type.canonicalUnit.map { ", which is measured in \($0)" } ?? ""
            throw UsageError("“\(text)” is not a unit of \(TypeName.short(type.identifier))\(own).")
        }
        return unit
    }
}

/// Names for people.
enum NameOutput {
    /// A category value in words, such as `asleep deep`, or as a number if it has no name.
    static func text(_ value: Int, of type: TypeDescription) -> String {
        if type.categoryEnumeration == "HKCategoryValue" { return "–" }
        return ValueNames.name(of: value, of: type).map(words) ?? "\(value)"
    }

    /// `asleepREM` as `asleep REM`, `americanFootball` as `american football`.
    static func words(_ name: String) -> String {
        var words = ""
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            let isStart = letter.isUppercase && index > 0 && !letters[index - 1].isUppercase
            // Abbreviations stay uppercase.
            let isAbbreviation = letter.isUppercase && (index + 1 == letters.count || letters[index + 1].isUppercase)
            let isWithin = letter.isUppercase && index > 0 && letters[index - 1].isUppercase
            words += (isStart ? " " : "") + (isAbbreviation || isWithin ? String(letter) : letter.lowercased())
        }
        return words
    }
}

/// Completes the names of data types in a shell: those of the store, or all if there is no store.
enum TypeCompletion {
    /// One name.
    static let name = CompletionKind.custom { words, _, _ in names(in: words) }

    /// Names separated by commas.
    static let list = CompletionKind.custom { words, _, prefix in
        let earlier = prefix.lastIndex(of: ",").map { String(prefix[...$0]) } ?? ""
        return names(in: words).map { earlier + $0 }
    }

    /// The names, with the most frequent type first.
    private static func names(in words: [String]) -> [String] {
        guard let options = try? StoreOptions.parse(store(in: words)), let engine = try? options.openEngine(),
            let types = try? engine.typeOverview(as: .person), !types.isEmpty
        else { return TypeCatalog.all.map { TypeName.short($0.identifier) } }
        try? engine.close()
        return types.sorted { ($0.count, $1.type.identifier) > ($1.count, $0.type.identifier) }
            .map { TypeName.short($0.type.identifier) }
    }

    /// The store option of an unfinished command line.
    private static func store(in words: [String]) -> [String] {
        for (index, word) in words.enumerated() {
            if word.hasPrefix("--store=") { return [word] }
            if word == "--store", index + 1 < words.count { return ["--store", words[index + 1]] }
        }
        return []
    }
}
