import Foundation
import HealthEngine
import HealthModel
import HealthPages

extension ExportRun {
    /// Decides whether the supplement tells of an object, and finds what belongs to it then.
    func tell(_ item: inout Planned) throws {
        guard let supplement else { return }
        let object = item.object
        let isGiven = contents.isGivenIdentity(of: object)
        item.isTold = isGiven || item.isExtra || !plain.isPlain(object)
        for index in item.routes.indices {
            item.routes[index].isTold = contents.isGivenIdentity(of: item.routes[index].route)
        }
        if let uuid = object.uuid, attachmentOwners.contains(uuid) {
            // A prescription has a place for its files; an application's is told with them.
            if item.attachments.isEmpty { item.isTold = true }
            if !item.isTold { plainOwners.insert(uuid) }
        }
        guard let uuid = object.uuid else { return }
        let rows = try contents.memberRows(of: object.sequence, in: options.selection)
        if case .workout = object.body, !rows.isEmpty { item.isTold = true }
        // Members are found again by what they say, so a correlation must say it as the members do.
        if !rows.allSatisfy({ plain.isPlain($0, 0..<$0.starts.count) }) { item.isTold = true }
        let routes = Set(item.routes.compactMap(\.route.uuid))
        let others = try contents.memberObjects(of: object.sequence).filter { !routes.contains($0) }
        if !others.isEmpty {
            item.isTold = true
            try supplement.add(.members(of: uuid, uuids: SupplementLine.data(others)))
        }
        if item.isTold { item.members = try SupplementPages.members(rows, style.dictionaries) }
    }

    /// Writes the supplement, if there is anything to be said.
    func writeSupplement(mainBytes: Int, to pipeline: PiecePipeline) throws {
        guard let supplement else { return }
        try tellElectrocardiograms(supplement)
        for type in try contents.types() where type.kind == .quantity {
            try contents.visitQuantitySeries(of: type.code, in: options.selection) { uuid, series in
                let payload = ObjectCoder.encode(metadata: .empty, creation: nil, body: SupplementSeries.body(of: series))
                try supplement.add(.quantities(of: uuid, payload: Data(payload)))
            }
        }
        try contents.visitAttachments(in: options.selection) { owner, _, records in
            guard !plainOwners.contains(owner) else { return }
            for record in records {
                try supplement.add(record, of: owner) { try contents.attachmentPiece($0, of: record.identifier) }
            }
        }
        guard !supplement.isEmpty else { return }
        try supplement.write(mainBytes: mainBytes, to: pipeline)
    }

    /// Tells of electrocardiograms in the order of their files' names, in which they are read.
    private func tellElectrocardiograms(_ supplement: SupplementWriter) throws {
        guard !toldElectrocardiograms.isEmpty else { return }
        let paths = companions.files.compactMap { file -> String? in
            if case .electrocardiogram = file.content { file.path } else { nil }
        }
        for (place, path) in paths.sorted().enumerated() {
            guard let sequence = toldElectrocardiograms[path], let object = try contents.object(sequence: sequence) else {
                continue
            }
            let rows = try contents.memberRows(of: sequence, in: options.selection)
            try supplement.add(
                .object(object, place: place, members: SupplementPages.members(rows, style.dictionaries)))
            tally.completed[object.type, default: 0] += 1
        }
    }
}
