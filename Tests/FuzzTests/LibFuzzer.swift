// Compiled by `make fuzz` only: the entry points of libFuzzer, for the target that FUZZ_TARGET names.
#if LIBFUZZER
    import Foundation

    private let target: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            // Scripts/fuzz asks for the names with an empty one.
            print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
            exit(name.isEmpty ? 0 : 64)
        }
        return target
    }()

    /// Writes the examples into the folder FUZZ_EXAMPLES, and the words of the format into the file FUZZ_WORDS, before
    /// libFuzzer reads them.
    @_cdecl("LLVMFuzzerInitialize")
    public func initialize(_ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer) -> CInt {
        let environment = ProcessInfo.processInfo.environment
        let target = target
        do {
            if let folder = environment["FUZZ_EXAMPLES"] {
                for (index, example) in try target.examples().enumerated() {
                    try Data(example).write(to: URL(fileURLWithPath: "\(folder)/example-\(index)"))
                }
            }
            if let file = environment["FUZZ_WORDS"] {
                let lines = target.words.map { word in
                    "\"" + word.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\"\n"
                }
                try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: file))
            }
        } catch {
            print("The examples can’t be written: \(error)")
            exit(74)
        }
        return 0
    }

    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        do {
            try target.run(Array(UnsafeBufferPointer(start: start, count: count)))
        } catch {
            fatalError("\(target.name): \(error)")
        }
        return 0
    }
#endif
