import ArgumentParser
import Foundation
import HealthEngine
import HealthModel

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
