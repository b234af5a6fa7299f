import HealthModel
import HealthPages
import HealthStorage

/// Samples that come one by one, onto the short page that is known to be the last.
extension PageEditor {
    /// As ``merge(_:)``; knows, and learns, where the type ends.
    func merge(_ new: SampleColumns, shortPages: inout ShortPages) throws {
        let known = shortPages.take(new.type)
        guard let first = new.starts.first, let final = new.starts.last, new.starts.count <= Self.greatestAppend else {
            return try merge(new)
        }
        if let known, first >= known.lastStart, known.samples.starts.count + new.starts.count < shortCount {
            var samples = known.samples
            var numbers = MetadataNumbers()
            samples.append(new, rows: new.starts.indices, numbers: &numbers)
            let page = try StoredPage(encoding: samples, rows: samples.starts.indices)
            try transaction.putPage(page)
            shortPages.put(ShortPages.Page(page, samples), of: new.type)
            return
        }
        try merge(new)
        guard let last = try transaction.page(of: new.type, forStart: .infinity),
            last.bounds.count < shortCount, last.bounds.lastStart <= final
        else { return }
        shortPages.put(ShortPages.Page(last, try last.decode()), of: new.type)
    }

    /// More samples than this at once are not appended: then merging costs little beside writing them.
    private static var greatestAppend: Int { 8 }
}

extension ShortPages.Page {
    fileprivate init(_ page: StoredPage, _ samples: SampleColumns) {
        self.init(lastStart: page.bounds.lastStart, samples: samples)
    }
}
