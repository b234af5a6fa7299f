import HealthModel
import HealthStorage

/// The short pages at the ends of their types, decoded, as the last saves left them: samples that come one by one
/// are put to them without looking for the page and decoding it each time.
///
/// Belongs to the writer. What it knows is true of one state of the store alone; any other write than a save forgets
/// all of it.
struct ShortPages {
    /// A short page with its samples; no other page of its type begins after it.
    struct Page {
        let lastStart: Double
        let samples: SampleColumns
    }

    /// One small page a type: more types than this are not saved to by turns.
    private static let greatestCount = 64

    private var pages: [TypeCode: Page] = [:]
    /// The state whose pages these are.
    private var state: StorageState?

    /// What is known at the beginning of a transaction.
    mutating func begin(from base: StorageState?) {
        if base == nil || base != state { pages.removeAll(keepingCapacity: true) }
        state = base?.afterCommit
    }

    /// Takes the type's page out; whoever has changed the type's pages puts back what is at its end now.
    mutating func take(_ type: TypeCode) -> Page? {
        pages.isEmpty ? nil : pages.removeValue(forKey: type)
    }

    mutating func put(_ page: Page, of type: TypeCode) {
        guard state != nil else { return }
        if pages.count >= Self.greatestCount { pages.removeAll(keepingCapacity: true) }
        pages[type] = page
    }
}
