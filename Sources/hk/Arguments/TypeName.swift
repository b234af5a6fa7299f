import ArgumentParser
import Foundation
import HealthEngine
import HealthKit
import HealthModel

/// Short names of data types, such as `stepCount`.
enum TypeName {
    /// The short name of a type: its identifier without the prefix, starting with a lowercase letter.
    static func short(_ identifier: String) -> String {
        TypeDescription.shortName(of: identifier)
    }

    /// The type with a short name or an identifier, in the catalog or known to this store only; a common name such as
    /// `steps`; or the only type whose name contains all these words, such as `glucose` or `resting heart rate`.
    ///
    /// - Throws: ``UsageError``, with suggestions, if there is none.
    static func resolve(_ text: String, dictionaries: StoreDictionaries) throws -> TypeDescription {
        let wanted = text.lowercased()
        let all = TypeCatalog.all + dictionaries.types
        if let exact = all.first(where: { $0.identifier.lowercased() == wanted }) { return exact }
        func named(_ name: String) -> TypeDescription? { all.first { short($0.identifier).lowercased() == name } }
        if let found = named(wanted) { return found }
        if let found = TypeWords.type(called: text) { return found }
        return try search(text, TypeWords.key(text), among: all)
    }

    /// The only type whose name contains the words of a text.
    private static func search(_ text: String, _ letters: String, among all: [TypeDescription]) throws
        -> TypeDescription
    {
        func having(_ asked: Set<String>) -> [TypeDescription] {
            all.filter { !asked.isEmpty && asked.isSubset(of: words(of: short($0.identifier))) }
        }
        var asked = words(of: text)
        var named = having(asked)
        if named.isEmpty {
            // `resting hr`.
            asked = asked.reduce(into: []) {
                $0.formUnion(TypeWords.type(called: $1).map { words(of: $0.shortName) } ?? [$1])
            }
            named = having(asked)
        }
        // All words of a name are that name, whatever their order and spelling.
        if let found = named.first(where: { words(of: short($0.identifier)) == asked }) { return found }
        if named.count == 1 { return named[0] }
        let near =
            named.isEmpty
            ? suggestions(for: [text.lowercased(), letters], among: all.map { short($0.identifier) })
            : named.map { short($0.identifier) }.sorted { ($0.count, $0) < ($1.count, $1) }
        let hint =
            near.isEmpty
            ? "“hk types” lists the types in the store." : "Did you mean \(near.prefix(5).joined(separator: ", "))?"
        throw UsageError("“\(text)” is not a data type. \(hint)")
    }

    /// The words of a name in lowercase and the singular: `stepCount`, `step-count` and `Step counts` have the same.
    private static func words(of name: String) -> Set<String> {
        let parts = name.split { !$0.isLetter && !$0.isNumber }
        let words = parts.flatMap { NameOutput.words(String($0)).lowercased().split(separator: " ") }
        return Set(words.map(TypeWords.singular))
    }

    /// Names that contain the word, or that differ from it by a typing error or have a common name that does; the most
    /// similar first.
    private static func suggestions(for spellings: [String], among names: [String]) -> [String] {
        var ranks: [String: Int] = [:]
        for (spelling, name) in names.map({ ($0.lowercased(), $0) }) + TypeWords.all.map({ ($0.name, $0.type) }) {
            for wanted in spellings {
                let distance = distance(spelling, wanted)
                if distance <= 2, distance * 2 < wanted.count {
                    ranks[name] = min(distance, ranks[name] ?? .max)
                } else if wanted.count > 2, spelling.contains(wanted) {
                    ranks[name] = min(3 + spelling.count - wanted.count, ranks[name] ?? .max)
                }
            }
        }
        // Two errors are only assumed where one doesn't explain the word.
        if ranks.values.contains(1) { ranks = ranks.filter { $0.value != 2 } }
        return ranks.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(5).map(\.key)
    }

    /// The optimal string alignment distance of two strings, in UTF-8 code units: two swapped letters are one error.
    private static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        var (previous, row) = ([Int](), Array(0...b.count))
        for i in a.indices {
            var next = [i + 1]
            for j in b.indices {
                var distance = min(row[j + 1] + 1, next[j] + 1, row[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { distance = min(distance, previous[j - 1] + 1) }
                next.append(distance)
            }
            (previous, row) = (row, next)
        }
        return row[b.count]
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
