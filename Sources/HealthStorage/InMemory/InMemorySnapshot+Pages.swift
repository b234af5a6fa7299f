import HealthModel

extension InMemorySnapshot {
    final func visitPages(
        of type: TypeCode, in window: PageWindow, bodies: Bool,
        _ visit: (PageView) throws -> Bool
    ) throws {
        let before = PageKey(type: type, firstStart: -.infinity, firstSequence: .min)
        try state.pages.visit(from: before) { key, page in
            guard key.type == type else { return false }
            if case .time(let startsBefore?, _) = window, key.firstStart >= startsBefore { return false }
            guard window.includes(page) else { return true }
            return try page.header.withUnsafeBytes { header in
                guard bodies else {
                    return try visit(PageView(
                        key: key, bounds: page.bounds, header: header,
                        body: UnsafeRawBufferPointer(start: nil, count: 0)))
                }
                return try page.body.withUnsafeBytes { body in
                    try visit(PageView(key: key, bounds: page.bounds, header: header, body: body))
                }
            }
        }
    }

    final func page(of type: TypeCode, forStart start: Double) throws -> StoredPage? {
        let after = state.pages.firstPosition(
            atOrAbove: PageKey(type: type, firstStart: start.nextUp, firstSequence: .min))
        if let last = state.pages.position(before: after), let found = state.pages.row(at: last),
            found.key.type == type
        {
            return found.row
        }
        guard let first = state.pages.row(at: after), first.key.type == type else { return nil }
        return first.row
    }

    final func pageBody(_ key: PageKey) throws -> [UInt8]? {
        state.pages[key]?.body
    }

    final func typesInUse() throws -> [TypeCode] {
        var types: Set<TypeCode> = []
        var next = TypeCode(rawValue: 0)
        while true {
            let position = state.pages.firstPosition(
                atOrAbove: PageKey(type: next, firstStart: -.infinity, firstSequence: .min))
            guard let found = state.pages.row(at: position)?.key.type else { break }
            types.insert(found)
            guard found.rawValue < .max else { break }
            next = TypeCode(rawValue: found.rawValue + 1)
        }
        state.objects.visit(
            from: InMemoryObjectKey(type: TypeCode(rawValue: 0), start: -.infinity, sequence: .min)
        ) { key, _ in
            types.insert(key.type)
            return true
        }
        return types.sorted()
    }
}

extension PageWindow {
    /// Whether a page of the right type belongs to the window.
    fileprivate func includes(_ page: StoredPage) -> Bool {
        switch self {
        case .all:
            true
        case .time(let startsBefore, let endsAtOrAfter):
            startsBefore.map { page.key.firstStart < $0 } ?? true
                && endsAtOrAfter.map { page.bounds.greatestEnd >= $0 } ?? true
        case .sequencesAfter(let sequence):
            page.bounds.greatestSequence > sequence
        case .containing(let sequence):
            page.bounds.leastSequence <= sequence && sequence <= page.bounds.greatestSequence
        }
    }
}
