import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// A cursor over samples: type by type, or all types merged by start date.
final class SampleCursor: VirtualCursor {
    private let context: TableContext
    /// The stream of the current sample.
    private var stream: SampleStream?
    /// The remaining streams or, when merging by start date, the other streams.
    private var others: [SampleStream] = []
    private var order = IndexPlan.Order.natural
    /// The types whose streams haven't been opened.
    private var waiting: [TypeDescription] = []
    private var columns: SampleColumnSet = []
    private var filter = SampleFilter.all
    private var wantsMetadata = false
    private var single: Int64?
    /// Streams over one page each, by its minimum sequence number, for lookups of single samples: a join asks for one
    /// sample of a page after the other.
    private var kept: (columns: SampleColumnSet, pages: [Int64: SampleStream]) = ([], [:])
    private static let keptCount = 64
    /// The names of category values, by type and value.
    private var valueNames: [TypeCode: [Int: PooledText]] = [:]

    init(_ context: TableContext) {
        self.context = context
    }

    override func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {
        stream = nil
        (others, waiting, single) = ([], [], nil)
        order = plan.order
        columns = SampleTable.Column.allCases.reduce(into: []) {
            if plan.uses($1.rawValue) { $0.formUnion($1.stored) }
        }
        var types = try context.types.get().filter { $0.kind.isPaged }
        var bounds = TimeBounds()
        var isPossible = true
        wantsMetadata = false
        for (bound, value) in zip(plan.bounds, arguments) {
            guard let column = SampleTable.Column(rawValue: bound.column) else {
                // The row number is the sequence number.
                isPossible = narrow(toNumber: value) && isPossible
                continue
            }
            switch column {
            case .type:
                let name = value.text?.lowercased()
                types.removeAll { $0.shortName.lowercased() != name }
            case .identifier:
                let name = value.text?.lowercased()
                types.removeAll { $0.identifier.lowercased() != name }
            case .sequence: isPossible = narrow(toNumber: value) && isPossible
            case .uuid:
                guard let uuid = value.text.flatMap({ UUID(uuidString: $0) }),
                    let found = try context.reading.locate(uuid)
                else {
                    isPossible = false
                    continue
                }
                isPossible = narrow(to: found.sequence) && isPossible
            case .metadata: wantsMetadata = true
            case .startTime: bounds.take(.start, bound.comparison, value)
            case .endTime: bounds.take(.end, bound.comparison, value)
            case .startDate, .day: bounds.take(.start, bound.comparison, text: value)
            case .endDate: bounds.take(.end, bound.comparison, text: value)
            default: break
            }
        }
        guard isPossible, !bounds.isEmpty else { return }
        filter = bounds.filters.isEmpty ? .all : .and(bounds.filters)
        if order != .natural { columns.insert(.starts) }
        if let single {
            columns.insert(.sequences)
            stream = try find(single, ofTypes: types)
            return
        }
        waiting = types
        if order == .natural {
            try openNext()
        } else {
            while let stream = try opened() { others.append(stream) }
            choose()
        }
    }

    /// Returns a stream at the sample with a sequence number, or `nil` if there is none of these types.
    private func find(_ sequence: Int64, ofTypes types: [TypeDescription]) throws -> SampleStream? {
        if kept.columns != columns || kept.pages.count > Self.keptCount { kept = (columns, [:]) }
        for (page, type) in try context.sequences.pages(holding: sequence)
        where types.contains(where: { $0.code == type.code }) && (!wantsMetadata || page.hasMetadata) {
            let number = page.sequences.lowerBound
            let stream: SampleStream
            if let known = kept.pages[number] {
                stream = known
            } else {
                stream = try SampleStream(type, pages: [page], columns: columns, isBackwards: false, context)
                kept.pages[number] = stream
            }
            if stream.seek(sequence) { return stream }
        }
        return nil
    }

    private func narrow(toNumber value: SQLArgument) -> Bool {
        guard let number = value.wholeNumber ?? value.text.flatMap({ Int64($0) }) else { return false }
        return narrow(to: number)
    }

    private func narrow(to number: Int64) -> Bool {
        guard single == nil || single == number else { return false }
        single = number
        return true
    }

    /// The stream of the next type that has samples.
    private func opened() throws -> SampleStream? {
        while !waiting.isEmpty {
            let type = waiting.removeFirst()
            var pages = try context.reading.pages(of: type.code, matching: filter)
            if wantsMetadata { pages.removeAll { !$0.hasMetadata } }
            guard !pages.isEmpty else { continue }
            let stream = try SampleStream(
                type, pages: pages, columns: columns, isBackwards: order == .startDescending, context)
            if !stream.isAtEnd { return stream }
        }
        return nil
    }

    private func openNext() throws {
        stream = try opened()
    }

    /// The stream with the next sample by start date.
    private func choose() {
        guard !others.isEmpty else { return }
        var best = 0
        for index in others.indices.dropFirst() {
            let isSooner =
                order == .startDescending
                ? others[index].start > others[best].start : others[index].start < others[best].start
            if isSooner { best = index }
        }
        if let current = stream, !current.isAtEnd {
            let stays =
                order == .startDescending ? current.start >= others[best].start : current.start <= others[best].start
            if stays { return }
            stream = others[best]
            others[best] = current
        } else {
            stream = others.remove(at: best)
        }
    }

    override var isAtEnd: Bool { stream == nil }

    override func next() throws {
        guard let current = stream else { return }
        guard single == nil else { return stream = nil }
        try current.next()
        if order == .natural {
            if current.isAtEnd { try openNext() }
        } else {
            if current.isAtEnd { stream = nil }
            choose()
        }
    }

    override var rowNumber: Int64 {
        get throws { try stream?.sequence() ?? 0 }
    }

    override func column(_ index: Int, to result: SQLResult) throws {
        guard let stream, let column = SampleTable.Column(rawValue: index) else { return result.null() }
        let row = stream.row
        switch column {
        case .type: result.text(stream.shortName)
        case .identifier: result.text(stream.identifier)
        case .startTime: result.real(stream.rows.starts[row] + unixToReference)
        case .endTime: result.real(stream.rows.ends[row] + unixToReference)
        case .startDate: result.date(stream.rows.starts[row], context.clock)
        case .endDate: result.date(stream.rows.ends[row], context.clock)
        case .day: result.day(number: context.clock.dayNumber(at: stream.rows.starts[row]))
        case .duration: result.real(stream.rows.ends[row] - stream.rows.starts[row])
        case .value:
            let value = stream.value
            if stream.type.kind == .category, let number = Int64(exactly: value) {
                result.integer(number)
            } else {
                result.real(value)
            }
        case .valueName: result.text(valueName(stream.rows.values[row], stream.type))
        case .unit:
            result.text(
                stream.type.kind == .quantity
                    ? stream.convertedUnit ?? text(context.units, stream.rows.units[row]) : nil)
        case .source: result.text(text(context.sources, stream.rows.revisions[row]))
        case .bundleIdentifier: result.text(text(context.bundleIdentifiers, stream.rows.revisions[row]))
        case .revision: number(stream.rows.revisions[row], result)
        case .device:
            let number = Int(stream.rows.devices[row])
            result.text(number > 0 && number <= context.devices.count ? context.devices[number - 1] : nil)
        case .deviceNumber: number(stream.rows.devices[row], result)
        case .metadata: result.text(stream.metadataText)
        case .creationDate:
            if let creation = stream.rows.creation(at: row) {
                result.date(creation, context.clock)
            } else {
                result.null()
            }
        case .uuid:
            result.uuid(try stream.rows.uuid(at: row) ?? context.reading.identities.uuid(for: stream.sequence()))
        case .sequence: result.integer(try stream.sequence())
        }
    }

    private func text(_ texts: [PooledText], _ number: UInt32) -> PooledText? {
        number > 0 && Int(number) <= texts.count ? texts[Int(number) - 1] : nil
    }

    private func number(_ number: UInt32, _ result: SQLResult) {
        if number > 0 { result.integer(Int64(number)) } else { result.null() }
    }

    private func valueName(_ value: Double, _ type: TypeDescription) -> PooledText? {
        guard type.kind == .category, let number = Int(exactly: value) else { return nil }
        if let known = valueNames[type.code]?[number] { return known }
        guard let name = ValueNames.name(of: number, of: type) else { return nil }
        let pooled = context.pool[name]
        valueNames[type.code, default: [:]][number] = pooled
        return pooled
    }
}
