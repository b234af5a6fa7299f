import Foundation
import ProcessTestSupport
import Testing

/// The linked program `hk`, which reads hostile files and listens on sockets: the debug build, or the program of
/// `HK_PROGRAM`.
@Suite("The header of hk")
struct ProgramHeaderTests {
    private let program: ELFProgram

    init() throws {
        program = try #require(try ELFProgram(Data(contentsOf: BuiltProgram.hk)))
    }

    @Test("hk is position-independent, has full RELRO and no executable stack")
    func hardening() throws {
        #expect(program.type == 3, "ET_DYN, not at a fixed address")
        #expect(program.dynamic[.flags1].contains { $0 & 0x0800_0000 != 0 }, "DF_1_PIE")
        #expect(program.segments.contains { $0.type == .relro })
        let bindsAtStart =
            program.dynamic[.flags].contains { $0 & 0x8 != 0 } || program.dynamic[.flags1].contains { $0 & 0x1 != 0 }
        #expect(bindsAtStart, "DF_BIND_NOW or DF_1_NOW")
        let stack = try #require(program.segments.first { $0.type == .stack })
        #expect(!stack.isExecutable)
        #expect(!program.segments.contains { $0.isWritable && $0.isExecutable })
    }

    /// The check of `make install` and `make deb` of the program that they make. C code of a debug build has no stack protectors.
    @Test("Scripts/check-program accepts hk, and says what is wrong with others")
    func script() throws {
        let scratch = Scratch()
        func complaints(_ program: URL) throws -> [Substring] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Scripts/check-program")
            process.arguments = [program.path]
            let (_, errors, status) = try process.finish()
            #expect((status == 0) == errors.isEmpty)
            return errors.split(separator: "\n")
        }
        let isGiven = ProcessInfo.processInfo.environment["HK_PROGRAM"] != nil
        #expect(try complaints(BuiltProgram.hk).allSatisfy { !isGiven && $0.contains("without stack protectors") })
        let bytes = try Data(contentsOf: BuiltProgram.hk)
        for (place, words) in [
            (program.place(of: .stack) + 4, "executable stack"), (program.place(of: .relro), "no RELRO"),
            (16, "position-independent"),
        ] {
            var changed = bytes
            changed[place] = place == 16 ? 2 : 7
            let file = scratch.file("changed")
            try changed.write(to: file)
            #expect(try complaints(file).contains { $0.contains(words) }, "\(words)")
        }
    }

    @Test(
        "The program of make install and deb is compiled with stack protectors, and checked",
        arguments: ["install", "deb"])
    func makefile(target: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["-u", "HK", "make", "--dry-run", target]
        process.currentDirectoryURL = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let output = try process.finish().output
        #expect(output.contains("Scripts/build-program") && output.contains("--product hk"))
        #expect(output.contains("Scripts/release-options") && output.contains("Scripts/check-program"))
        let options = Process()
        options.executableURL = process.currentDirectoryURL?.appendingPathComponent("Scripts/release-options")
        #expect(try options.finish().output.contains("-Xcc -fstack-protector-strong"))
    }

    @Test("SQLite and zlib are the system's shared libraries, and a release has the Swift runtime inside")
    func libraries() {
        #expect(program.libraries.isSuperset(of: ["libsqlite3.so.0", "libz.so.1", "libc.so.6"]))
        // A debug build uses the toolchain's runtime.
        if !program.libraries.contains("libswiftCore.so") {
            #expect(!program.libraries.contains { $0.hasPrefix("libFoundation") || $0.hasPrefix("libswift") })
        }
    }

    @Test("A program without these properties is recognized")
    func otherPrograms() throws {
        var bytes = try Data(contentsOf: BuiltProgram.hk)
        bytes[16] = 2
        #expect(ELFProgram(bytes)?.type == 2)
        #expect(ELFProgram(Data("#!/bin/sh\n".utf8)) == nil)
    }
}

/// The headers of a 64-bit ELF file in this machine's byte order (System V ABI; LSB for the GNU types).
private struct ELFProgram {
    struct SegmentType: Equatable {
        var rawValue: UInt32
        static let load = Self(rawValue: 1), dynamic = Self(rawValue: 2)
        static let stack = Self(rawValue: 0x6474_e551), relro = Self(rawValue: 0x6474_e552)
    }

    struct Segment {
        var type: SegmentType
        var flags: UInt32
        var offset, address, size: Int

        var isExecutable: Bool { flags & 1 != 0 }
        var isWritable: Bool { flags & 2 != 0 }
    }

    /// Entries of the dynamic section, by tag.
    struct Dynamic {
        enum Tag: Int { case needed = 1, strings = 5, flags = 30, flags1 = 0x6fff_fffb }

        var entries: [(tag: Int, value: Int)] = []

        subscript(tag: Tag) -> [Int] { entries.filter { $0.tag == tag.rawValue }.map(\.value) }
    }

    /// 2 for a program at fixed addresses, 3 for one that the kernel loads anywhere.
    var type: UInt16
    private let start, size: Int
    var segments: [Segment]
    var dynamic = Dynamic()
    /// The shared libraries it is linked with.
    var libraries: Set<String> = []

    /// Where the header of a segment begins.
    func place(of type: SegmentType) -> Int {
        start + size * (segments.firstIndex { $0.type == type } ?? 0)
    }

    /// `nil` for a file that is not a 64-bit ELF file.
    init?(_ file: Data) {
        guard file.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2]) else { return nil }
        func read<T: FixedWidthInteger>(_ offset: Int, _: T.Type = T.self) -> T {
            file.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: T.self) }
        }
        type = read(16)
        let count = Int(read(56, UInt16.self))
        let (start, size) = (Int(read(32, Int64.self)), Int(read(54, UInt16.self)))
        (self.start, self.size) = (start, size)
        segments = (0..<count).map { index in
            let header = start + index * size
            return Segment(
                type: .init(rawValue: read(header)), flags: read(header + 4), offset: read(header + 8),
                address: read(header + 16), size: read(header + 32))
        }
        guard let section = segments.first(where: { $0.type == .dynamic }) else { return }
        dynamic.entries = stride(from: section.offset, to: section.offset + section.size, by: 16).map {
            (read($0), read($0 + 8))
        }
        guard let strings = dynamic[.strings].first,
            let loaded = segments.first(where: { $0.type == .load && $0.address..<$0.address + $0.size ~= strings })
        else { return }
        let table = loaded.offset + strings - loaded.address
        libraries = Set(
            dynamic[.needed].map { String(decoding: file[(table + $0)...].prefix { $0 != 0 }, as: UTF8.self) })
    }
}
