import HealthModel
import HealthStorage

extension StorageContract {
    func checkPages() throws {
        let storage = try makeStorage()
        var pages = [0, 1, 100, 4_000, 9_000, 100_000].enumerated().map { index, size in
            ContractRows.page(start: Double(index), sequence: Int64(index + 1), bytes: size)
        }
        try storage.write { transaction in
            for page in pages.reversed() { try transaction.putPage(page) }
        }
        try expect(try allPages(storage) == pages, "pages are read as written")
        try expect(try allPages(storage, bodies: false) == pages.map(\.withoutBody), "pages without bodies")
        try storage.read { snapshot in
            for page in pages {
                try expect(try snapshot.pageBody(page.key) == page.body, "a body by its key")
            }
            var other = pages[0].key
            other.firstSequence += 1
            try expect(try snapshot.pageBody(other) == nil, "no body under an unknown key")
        }
        // Replacing a page by a shorter or longer one, or one with other bounds.
        for (index, size) in [(2, 0), (4, 50), (0, 20_000)] {
            pages[index] = ContractRows.page(
                start: Double(index), sequence: Int64(index + 1), lastStart: Double(index) + 5,
                end: Double(index) + 9, minimum: 0, maximum: 99, count: 1_000, bytes: size)
        }
        try storage.write { transaction in
            for page in pages { try transaction.putPage(page) }
        }
        try expect(try allPages(storage) == pages, "pages written again")
        try storage.write { transaction in
            try transaction.removePage(pages[1].key)
            try transaction.removePage(pages[5].key)
            try transaction.removePage(pages[5].key)
        }
        try expect(try allPages(storage) == [pages[0], pages[2], pages[3], pages[4]], "pages removed")
        try expect(
            try storage.read { try $0.pageBody(pages[1].key) } == nil, "the body of a page removed")
    }

    func checkPageLocations() throws {
        let storage = try makeStorage()
        // Two pages in turn, each with the location of its previous version; the second also with the first page's.
        var locations: [PageLocation?] = [nil, nil]
        var pages: [StoredPage] = []
        for (number, size) in [10, 40_000, 3_000, 3_000, 0, 20, 5_000, 100, 100_000, 100_000].enumerated() {
            let versions = [0, 1].map { index in
                ContractRows.page(
                    start: Double(index), sequence: Int64(index + 1), lastStart: 10 + Double(number),
                    maximum: Int64(number + 2), count: number + 1, bytes: size + index)
            }
            if number % 3 == 2 {
                do {
                    try storage.write { transaction in
                        _ = try transaction.putPage(
                            ContractRows.page(start: 0, sequence: 1, bytes: 7), replacing: locations[0])
                        throw Interruption()
                    }
                } catch is Interruption {}
                try expect(try allPages(storage) == pages, "pages after a transaction that failed")
            }
            let known = locations
            locations = try storage.write { transaction in
                let first = try transaction.putPage(versions[0], replacing: known[0])
                let second = try transaction.putPage(versions[1], replacing: number % 2 == 0 ? known[1] : first)
                return [first, second]
            }
            pages = versions
            try expect(try allPages(storage) == pages, "pages replaced by their locations")
        }
        for page in pages { try storage.write { try $0.removePage(page.key) } }
        try expect(try allPages(storage).isEmpty, "pages removed")
    }

    func checkPageExtremes() throws {
        let storage = try makeStorage()
        let starts: [Double] = [
            -.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1.0.nextDown,
            1, 1.0.nextUp, 9_007_199_254_740_992, .greatestFiniteMagnitude,
        ]
        let pages = starts.map { start in
            ContractRows.page(
                start: start, sequence: 1, lastStart: start.nextUp, end: .greatestFiniteMagnitude,
                minimum: .min, maximum: .max)
        }
        let types = [TypeCode(rawValue: 0), ContractRows.lastPaged]
        try storage.write { transaction in
            for page in pages.reversed() {
                for type in types {
                    var page = page
                    page.key.type = type
                    try transaction.putPage(page)
                }
            }
        }
        for type in types {
            try expect(try allPages(storage, of: type).map(\.key.firstStart) == starts, "extreme starts")
            try expect(try allPages(storage, of: type).map(\.bounds) == pages.map(\.bounds), "extreme bounds")
            for start in starts {
                try expect(
                    try storage.read { try $0.page(of: type, forStart: start)?.key.firstStart } == start,
                    "the page of an extreme start")
            }
        }
        try expect(try storage.read { try $0.typesInUse() } == types, "the minimum and maximum type")
    }

    func checkPageForStart() throws {
        let storage = try makeStorage()
        let pages = [(1.0, 5), (1.0, 7), (4.0, 6), (9.0, 1)].map {
            ContractRows.page(start: $0.0, sequence: Int64($0.1), bytes: 30)
        }
        try storage.write { transaction in
            for page in pages { try transaction.putPage(page) }
            try transaction.putPage(ContractRows.page(ContractRows.lastPaged, start: 3, sequence: 9))
        }
        let expected: [(Double, Int)] = [
            (-.infinity, 0), (0, 0), (1.0.nextDown, 0), (1, 1), (2, 1), (4.0.nextDown, 1), (4, 2), (5, 2),
            (9, 3), (1_000, 3), (.infinity, 3),
        ]
        try storage.read { snapshot in
            for (start, index) in expected {
                try expect(
                    try snapshot.page(of: ContractRows.paged, forStart: start) == pages[index],
                    "the page of start \(start)")
            }
            for (index, page) in pages.enumerated().dropFirst() {
                try expect(
                    try snapshot.page(before: page.key), equals: pages[index - 1].withoutBody,
                    "the page before \(index)")
            }
            let between = PageKey(type: ContractRows.paged, firstStart: 1, firstSequence: 6)
            try expect(
                try snapshot.page(before: between), equals: pages[0].withoutBody, "the page before a key of none")
            try expect(try snapshot.page(before: pages[0].key) == nil, "no page before the first")
            let other = PageKey(type: ContractRows.lastPaged, firstStart: 3, firstSequence: 9)
            try expect(try snapshot.page(before: other) == nil, "no page before the first of another type")
            try expect(
                try snapshot.page(of: ContractRows.otherPaged, forStart: 3) == nil, "no page of that type")
            try expect(
                try snapshot.page(of: ContractRows.lastPaged, forStart: 0)?.key.firstStart == 3,
                "the first page of another type")
        }
    }

    func checkVisits() throws {
        let storage = try makeStorage()
        let pages = (1...5).map { ContractRows.page(start: Double($0), sequence: Int64($0), bytes: 6_000) }
        try storage.write { transaction in
            for page in pages {
                try transaction.putPage(page)
                var other = page
                other.key.type = ContractRows.otherPaged
                try transaction.putPage(other)
                try transaction.putObject(ContractRows.object(page.key.firstSequence, start: page.key.firstStart))
                try transaction.putTombstone(
                    StoredTombstone(
                        sequence: page.key.firstSequence, type: ContractRows.paged, uuid: ContractRows.uuid(1)))
            }
        }
        let windows: [PageWindow] = [
            .all, .time(startsBefore: 9, endsAtOrAfter: 0), .sequencesAfter(0), .containing(sequence: 3),
        ]
        for window in windows {
            try storage.read { try checkVisit($0, pages, window) }
            try storage.write { try checkVisit($0, pages, window) }
        }
        try storage.read { snapshot in
            var seen = 0
            try snapshot.visitTombstones(after: 0, types: nil) { _ in
                seen += 1
                return seen < 2
            }
            try expect(seen, equals: 2, "a visit of deletions that is ended")
        }
    }

    /// Stops visits early, throws out of them, and nests them.
    private func checkVisit(
        _ snapshot: any StorageSnapshot, _ pages: [StoredPage], _ window: PageWindow
    ) throws {
        let all = window == .containing(sequence: 3) ? [pages[2]] : pages
        var seen: [StoredPage] = []
        try snapshot.visitPages(of: ContractRows.paged, in: window, bodies: true) {
            seen.append($0.copy)
            return seen.count < 2
        }
        try expect(seen == Array(all.prefix(2)), "a visit that is ended, \(window)")
        try expectInterruption("out of a visit of pages") {
            try snapshot.visitPages(of: ContractRows.paged, in: window, bodies: true) { _ in
                throw Interruption()
            }
        }
        var sequences: [Int64] = []
        try snapshot.visitObjects(of: ContractRows.object, in: window) {
            sequences.append($0.sequence)
            return sequences.count < 2
        }
        try expect(sequences == all.prefix(2).map(\.key.firstSequence), "a visit of objects that is ended, \(window)")
        try expectInterruption("out of a visit of objects") {
            try snapshot.visitObjects(of: ContractRows.object, in: window) { _ in throw Interruption() }
        }
        var outer: [StoredPage] = []
        try snapshot.visitPages(of: ContractRows.paged, in: window, bodies: true) { view in
            var inner: [StoredPage] = []
            try snapshot.visitPages(of: ContractRows.otherPaged, in: window, bodies: true) {
                inner.append($0.copy)
                return true
            }
            try expect(inner.map(\.body) == all.map(\.body), "a visit within a visit, \(window)")
            _ = try snapshot.page(of: ContractRows.paged, forStart: 3)
            outer.append(view.copy)
            return true
        }
        try expect(outer == all, "a visit around visits, \(window)")
    }

    func checkTypesInUse() throws {
        let storage = try makeStorage()
        let page = ContractRows.page(ContractRows.otherPaged, start: 1, sequence: 1)
        try storage.write { transaction in
            try transaction.putPage(page)
            try transaction.putPage(ContractRows.page(ContractRows.otherPaged, start: 2, sequence: 2))
            try transaction.putPage(ContractRows.page(ContractRows.lastPaged, start: 2, sequence: 2))
            try transaction.putObject(ContractRows.object(3, ContractRows.otherObject))
            try transaction.putObject(ContractRows.object(4, ContractRows.otherPaged))
            try transaction.putObject(ContractRows.object(5, ContractRows.paged))
        }
        let all = [ContractRows.paged, ContractRows.otherPaged, ContractRows.otherObject, ContractRows.lastPaged]
        try expect(try storage.read { try $0.typesInUse() } == all, "types of pages and objects")
        let added = try storage.read { snapshot in try (0...5).map { try snapshot.typesAdded(after: $0) } }
        let last = [all, [all[0], all[1], all[2], all[3]], [all[0], all[1], all[2]], [all[0], all[1]], [all[0]], []]
        try expect(added == last, "types with later sequence numbers")
        try storage.write { transaction in
            try transaction.removeObject(sequence: 4)
            try transaction.removeObject(sequence: 3)
            try transaction.removePage(page.key)
        }
        try expect(
            try storage.read { try $0.typesInUse() }
                == [ContractRows.paged, ContractRows.otherPaged, ContractRows.lastPaged],
            "types after removals")
    }

    private func allPages(
        _ storage: any HealthStorage, of type: TypeCode = ContractRows.paged, bodies: Bool = true
    ) throws -> [StoredPage] {
        try storage.read { snapshot in
            try collected { visit in
                try snapshot.visitPages(of: type, in: .all, bodies: bodies) { try visit($0.copy) }
            }
        }
    }
}

extension StoredPage {
    fileprivate var withoutBody: StoredPage {
        StoredPage(key: key, bounds: bounds, header: header, body: [])
    }
}
