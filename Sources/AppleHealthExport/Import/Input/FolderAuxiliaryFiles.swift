import Foundation
import HealthFiles

/// The auxiliary files in the folder of the main file.
///
/// Links that lead out of the folder are not followed, and only regular files are opened. Where no file has the
/// exact name, a file whose name differs in case or in damaged letters is used if it is the only one.
final class FolderAuxiliaryFiles: AuxiliaryFiles {
    /// The folder with all links resolved, without a trailing slash.
    private let root: String
    private let maximumListing: Int
    private var listings: [String: Listing] = [:]

    /// The names in a folder, indexed for the ways they are looked up.
    private struct Listing {
        var names: [String]
        var problem: FolderListingProblem?
        var byFoldedName: [String: [String]]
        var bySkeleton: [String: [String]]

        init(_ names: [String], problem: FolderListingProblem? = nil) {
            self.names = names
            self.problem = problem
            byFoldedName = Dictionary(grouping: names) { AuxiliaryPath.folded($0) }
            bySkeleton = Dictionary(grouping: names) { AuxiliaryPath.skeleton($0) }
        }
    }

    /// - Parameter maximumListing: The number of names of one folder that are kept; further names are reported as a
    ///   ``FolderListingProblem``.
    init(folder: String, maximumListing: Int = 100_000) {
        root = Self.resolved(folder.isEmpty ? "." : folder) ?? folder
        self.maximumListing = maximumListing
    }

    func paths(inFolder name: String) -> [String] {
        guard let folder = entry(name, in: root) else { return [] }
        return listing(folder).names.map { "/\(name)/\($0)" }
    }

    func listingProblem(inFolder name: String) -> FolderListingProblem? {
        // Where the root cannot be listed, a folder whose name differs in case may have been missed.
        guard let folder = entry(name, in: root) else { return listings[root]?.problem }
        return listing(folder).problem
    }

    func source(of path: String, limit: Int) throws(AuxiliaryFileError) -> any ByteSource {
        let parts = try AuxiliaryPath(path).parts
        var place = root
        for part in parts {
            guard let next = entry(part, in: place) else {
                throw listing(place).problem == .unreadable
                    ? AuxiliaryFileError("its folder cannot be listed") : .missing
            }
            place = next
        }
        guard let resolved = Self.resolved(place) else { throw .missing }
        guard resolved.hasPrefix(root == "/" ? root : root + "/") else { throw .outside }
        // Opening a pipe would block until it has a writer.
        var status = stat()
        guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw AuxiliaryFileError("its file is not a regular file")
        }
        let file = try AuxiliaryFileError.explained { try FileByteSource(path: resolved) }
        return try LimitedByteSource(file, limit: limit)
    }

    /// The path of the entry with this name in a folder, or of the only entry with a similar name.
    private func entry(_ name: String, in folder: String) -> String? {
        let path = folder + "/" + name
        var status = stat()
        if lstat(path, &status) == 0 { return path }
        let listing = listing(folder)
        var found = listing.byFoldedName[AuxiliaryPath.folded(name)]
        if found?.count != 1, AuxiliaryPath.isIdentified(bySkeletonOf: name) {
            found = listing.bySkeleton[AuxiliaryPath.skeleton(name)]
        }
        guard let found, found.count == 1 else { return nil }
        return folder + "/" + found[0]
    }

    private func listing(_ folder: String) -> Listing {
        if let known = listings[folder] { return known }
        let made = makeListing(folder)
        listings[folder] = made
        return made
    }

    private func makeListing(_ folder: String) -> Listing {
        guard let resolved = Self.resolved(folder) else { return Listing([], problem: .unreadable) }
        let prefix = root == "/" ? root : root + "/"
        guard resolved == root || resolved.hasPrefix(prefix) else { return Listing([], problem: .outside) }
        guard let all = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            return Listing([], problem: .unreadable)
        }
        let names = all.filter { !$0.hasPrefix(".") }.sorted()
        guard names.count > maximumListing else { return Listing(names) }
        return Listing(
            Array(names.prefix(maximumListing)), problem: .tooManyFiles(omitted: names.count - maximumListing))
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
