import Foundation

/// Companion files in the folder of the main file.
///
/// Links that lead out of the folder are not followed, and only regular files are opened. Where a name
/// is not there as it stands, one that differs in case or in spoilt letters is taken if it is the only one.
final class FolderCompanions: CompanionFiles {
    /// The folder with all links resolved, without a slash at its end.
    private let root: String
    private var listings: [String: Listing] = [:]

    /// The names in a folder, and the ways in which they are looked for.
    private struct Listing {
        var names: [String]
        var byFoldedName: [String: [String]]
        var bySkeleton: [String: [String]]

        init(_ names: [String]) {
            self.names = names
            byFoldedName = Dictionary(grouping: names) { CompanionPath.folded($0) }
            bySkeleton = Dictionary(grouping: names) { CompanionPath.skeleton($0) }
        }
    }

    /// More names than this in one folder are not looked at.
    private static let greatestListing = 100_000

    init(folder: String) {
        root = Self.resolved(folder.isEmpty ? "." : folder) ?? folder
    }

    func paths(inFolder name: String) -> [String] {
        guard let folder = entry(name, in: root) else { return [] }
        return listing(folder).names.filter { !$0.hasPrefix(".") }.map { "/\(name)/\($0)" }
    }

    func source(of path: String, limit: Int) throws(CompanionError) -> any ByteSource {
        let parts = try CompanionPath(path).parts
        var place = root
        for part in parts {
            guard let next = entry(part, in: place) else { throw .missing }
            place = next
        }
        guard let resolved = Self.resolved(place) else { throw .missing }
        guard resolved.hasPrefix(root == "/" ? root : root + "/") else { throw .outside }
        // A pipe would wait for its writer when it is opened.
        var status = stat()
        guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CompanionError("its file is no regular file")
        }
        let file: FileByteSource
        do {
            file = try FileByteSource(path: resolved)
        } catch {
            throw CompanionError(error)
        }
        return try LimitedByteSource(file, limit: limit)
    }

    /// The path of what is called so in a folder, or as good as so.
    private func entry(_ name: String, in folder: String) -> String? {
        let path = folder + "/" + name
        var status = stat()
        if lstat(path, &status) == 0 { return path }
        let listing = listing(folder)
        var found = listing.byFoldedName[CompanionPath.folded(name)]
        if found?.count != 1, CompanionPath.isTold(bySkeletonOf: name) {
            found = listing.bySkeleton[CompanionPath.skeleton(name)]
        }
        guard let found, found.count == 1 else { return nil }
        return folder + "/" + found[0]
    }

    private func listing(_ folder: String) -> Listing {
        if let known = listings[folder] { return known }
        let isInside = Self.resolved(folder).map { $0 == root || $0.hasPrefix(root + "/") } ?? false
        let names = isInside ? (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] : []
        let kept = Listing(names.count <= Self.greatestListing ? names.sorted() : [])
        listings[folder] = kept
        return kept
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
