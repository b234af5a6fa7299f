import Foundation
import HealthModel

/// The account of a deletion: samples by type and source, and the question about them.
struct DeletionTable {
    /// Numbers by type and source, the largest first.
    let counts: [(type: TypeDescription, source: String, count: Int)]
    /// The number of samples.
    let total: Int

    /// The account as JSON.
    struct Answer: Encodable {
        struct Part: Encodable {
            var type: String
            var source: String
            var count: Int
        }

        var deleted: Int
        var samples: [Part]
    }

    var text: String {
        var table = Table(["type", "source", .number("samples")])
        for (type, source, count) in counts {
            table.add([TypeName.short(type.identifier), source, NumberOutput.grouped(count)])
        }
        if counts.count > 1 { table.add(["all", "", NumberOutput.grouped(total)]) }
        return table.text()
    }

    func answer(deleted: Int) -> Answer {
        Answer(
            deleted: deleted,
            samples: counts.map { .init(type: $0.type.identifier, source: $0.source, count: $0.count) })
    }

    /// Asks whether to delete this many samples.
    ///
    /// - Throws: ``UsageError`` if nobody can be asked.
    static func confirm(_ count: Int) throws -> Bool {
        guard Terminal.inputIsTerminal else {
            throw UsageError(
                "Confirmation requires a terminal, so nothing was deleted. Use --yes to delete without confirmation.")
        }
        try StandardOutput.flush()
        Terminal.printError(
            "Delete \(count == 1 ? "this sample" : "these \(NumberOutput.grouped(count)) samples")? (y/N): ")
        return ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased())
    }
}
