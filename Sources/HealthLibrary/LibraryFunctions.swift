public import COpenHealthKit
import Dispatch
import Foundation
import HealthAnswers
import HealthArrow
import HealthCompression
import HealthEngine
import HealthFormats
import HealthJSON
import HealthModel
import HealthStorage
import HealthStoragePostgreSQL
import HealthStorageSQLite
import Synchronization

// The functions of openhealthkit.h, which documents them. Only what is public is exported by an optimized build.

private typealias Text = UnsafePointer<CChar>
private typealias TextTarget = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// `ohk_versions` of openhealthkit.h.
@_cdecl("ohk_versions")
public func libraryVersions() -> UnsafeMutablePointer<CChar>? {
    var json = JSONText()
    json.object { json in
        json.member("openhealthkit", text: LibraryStore.version)
        json.member("SQLite", text: SQLiteStorage.libraryVersion)
        json.member("zlib", text: CompressionLibrary.version)
    }
    return strdup(json.text)
}

/// `ohk_free` of openhealthkit.h.
@_cdecl("ohk_free")
public func libraryFree(_ text: UnsafeMutablePointer<CChar>?) {
    free(text)
}

/// `ohk_open` of openhealthkit.h.
@_cdecl("ohk_open")
public func libraryOpen(
    _ options: UnsafePointer<CChar>?, _ store: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    LibraryCall.run(error) {
        guard let store else { throw LibraryCall.nullArgument("store") }
        // A caller closes it whether or not it was opened.
        store.pointee = nil
        PostgreSQLStores.register()
        let opened = try LibraryStore(options: LibraryCall.bytes(options, of: "options"))
        store.pointee = OpaquePointer(Unmanaged.passRetained(opened).toOpaque())
    }
}

/// `ohk_close` of openhealthkit.h.
@_cdecl("ohk_close")
public func libraryClose(_ store: OpaquePointer?) {
    guard let store else { return }
    Unmanaged<LibraryStore>.fromOpaque(UnsafeRawPointer(store)).release()
}

/// `ohk_check` of openhealthkit.h.
@_cdecl("ohk_check")
public func libraryCheck(
    _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    LibraryCall.run(error) {
        let store = try LibraryCall.store(store)
        try ArrowQuestion(json: LibraryCall.bytes(question, of: "question")).check(store.setting())
    }
}

/// `ohk_ask` of openhealthkit.h.
@_cdecl("ohk_ask")
public func libraryAsk(
    _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?,
    _ answer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    LibraryCall.run(error) {
        let store = try LibraryCall.store(store)
        let question = try ArrowQuestion(json: LibraryCall.bytes(question, of: "question"))
        try LibraryCall.send(LibraryCall.wait { try await question.json(store, store.setting()) }, to: answer)
    }
}

/// `ohk_stream` of openhealthkit.h.
@_cdecl("ohk_stream")
public func libraryStream(
    _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ stream: UnsafeMutablePointer<ArrowArrayStream>?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    LibraryCall.run(error) {
        guard let stream else { throw LibraryCall.nullArgument("stream") }
        let store = try LibraryCall.store(store)
        let question = try ArrowQuestion(json: LibraryCall.bytes(question, of: "question"))
        let table = try LibraryCall.wait { try await question.table(store, store.setting()) }
        try LibraryCall.export(table, of: store, to: stream)
    }
}

/// `ohk_receive` of openhealthkit.h.
@_cdecl("ohk_receive")
public func libraryReceive(
    _ store: OpaquePointer?, _ question: UnsafePointer<CChar>?, _ answer: UnsafePointer<CChar>?,
    _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    LibraryCall.run(error) {
        guard let stream else { throw LibraryCall.nullArgument("stream") }
        let store = try LibraryCall.store(store)
        let question = try ArrowQuestion(json: LibraryCall.bytes(question, of: "question"))
        let table = try question.table(received: LibraryCall.bytes(answer, of: "answer"), store.setting())
        try LibraryCall.export(table, of: store, to: stream)
    }
}

private typealias PointerOfCapsule =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> UnsafeMutableRawPointer?

/// `PyCapsule_GetPointer` of the Python that runs in this process.
private let pointerOfCapsule = dlsym(nil, "PyCapsule_GetPointer").map { unsafeBitCast($0, to: PointerOfCapsule.self) }

/// `ohk_release_capsule` of openhealthkit.h.
@_cdecl("ohk_release_capsule")
public func libraryReleaseCapsule(_ capsule: UnsafeMutableRawPointer?) {
    guard let pointer = pointerOfCapsule?(capsule, "arrow_array_stream") else { return }
    let stream = pointer.assumingMemoryBound(to: ArrowArrayStream.self)
    stream.pointee.release?(stream)
    free(pointer)
}

/// `ohk_import` of openhealthkit.h.
@_cdecl("ohk_import")
public func libraryImport(
    _ store: OpaquePointer?, _ options: UnsafePointer<CChar>?, _ progress: OHKProgress?,
    _ context: UnsafeMutableRawPointer?, _ report: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    LibraryCall.run(error) {
        let engine = try LibraryCall.store(store).engine
        let imported = try LibraryImport(
            LibraryCall.bytes(options, of: "options"), ImportObserver(progress: progress, context: context))
        try LibraryCall.send(imported.run(engine), to: report)
    }
}

/// `ohk_add` of openhealthkit.h.
@_cdecl("ohk_add")
public func libraryAdd(
    _ store: OpaquePointer?, _ samples: UnsafePointer<CChar>?,
    _ answer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    LibraryCall.run(error) {
        let store = try LibraryCall.store(store)
        let bytes = try LibraryCall.bytes(samples, of: "samples")
        var reader = SampleJSONReader(
            dictionaries: try store.engine.dictionaries(), timeZone: try store.setting().calendar.timeZone)
        let items = try bytes.withUnsafeBufferPointer { try reader.batch($0) }
        let (outcome, places) = try store.engine.saveLocating(items, as: LibraryStore.caller)
        let identities = DerivedIdentities(seed: store.engine.identity().seed)
        var json = JSONText()
        json.object { json in
            json.member("saved", integer: outcome.saved)
            json.member("ignored", integer: outcome.ignored)
            json.member("replaced", integer: outcome.replaced)
            json.array("samples") { json in
                for (item, place) in zip(items, places) {
                    let uuid = place.map { item.uuid ?? identities.uuid(for: $0.sequence) }
                    if let uuid { json.string(uuid.uuidString) } else { json.null() }
                }
            }
        }
        try LibraryCall.send(json.bytes, to: answer)
    }
}

// MARK: - Calls

/// The steps that all functions have in common.
private enum LibraryCall {
    /// Runs the body of a function, and turns what it throws into a code and a sentence.
    static func run(_ error: TextTarget?, _ body: () throws -> Void) -> Int32 {
        do {
            try body()
            return Int32(OHK_OK)
        } catch let thrown {
            let described = LibraryError(thrown)
            error?.pointee = strdup(described.sentence)
            return described.code
        }
    }

    static func nullArgument(_ name: String) -> ParameterError {
        ParameterError(nil, "The argument \(name) is NULL.")
    }

    static func store(_ pointer: OpaquePointer?) throws -> LibraryStore {
        guard let pointer else { throw nullArgument("store") }
        return Unmanaged<LibraryStore>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }

    static func bytes(_ text: Text?, of name: String) throws -> [UInt8] {
        guard let text else { throw nullArgument(name) }
        return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// Fills in a stream, which keeps the store open.
    static func export(
        _ table: some ArrowSource, of store: LibraryStore, to stream: UnsafeMutablePointer<ArrowArrayStream>
    ) throws {
        try ArrowStream(table) { [store] in
            withExtendedLifetime(store) {}
            return LibraryError($0).sentence
        }.export(to: stream)
    }

    /// Passes a text on that the caller frees.
    static func send(_ bytes: [UInt8], to target: TextTarget?) throws {
        guard let target else { throw nullArgument("answer") }
        target.pointee = strdup(String(decoding: bytes, as: UTF8.self))
    }

    /// Waits for an asynchronous call, on a thread that isn't one of the concurrency runtime.
    static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let result = LibraryResult<Value>()
        Task.detached {
            do { result.set(.success(try await body())) } catch { result.set(.failure(error)) }
        }
        return try result.wait()
    }
}

/// A result that another thread waits for.
private final class LibraryResult<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    func set(_ value: Result<Value, any Error>) {
        result.withLock { $0 = value }
        isSet.signal()
    }

    func wait() throws -> Value {
        isSet.wait()
        guard let value = result.withLock({ $0 }) else { throw CancellationError() }
        return try value.get()
    }
}
