import ArchiveTestSupport
import Foundation

@testable import AppleHealthExport

/// The elements of a main file below its root, each with its attributes and all inside it, as a multiset;
/// read by expat, which knows nothing of this project.
struct ElementBag: Equatable {
    private(set) var elements: [String: Int] = [:]
    /// The error of expat for a text that is not well-formed.
    private(set) var fault: String?

    /// Prints a line an element: name, attributes by name, children in order; addresses of devices left out.
    private static let script = """
        import sys, re, json, xml.parsers.expat as expat
        stack, out = [], []
        def start(name, attributes):
            if "device" in attributes:
                attributes["device"] = re.sub("0x[0-9a-fA-F]+", "0x", attributes["device"])
            stack.append([name, sorted(attributes.items()), []])
        def end(name):
            done = stack.pop()
            if len(stack) > 1: stack[-1][2].append(done)
            elif stack: out.append(json.dumps(done, ensure_ascii=False))
        parser = expat.ParserCreate()
        parser.StartElementHandler, parser.EndElementHandler = start, end
        try:
            parser.ParseFile(open(sys.argv[1], "rb"))
        except expat.ExpatError as error:
            out = ["FAULT " + str(error)]
        sys.stdout.buffer.write("\\n".join(out).encode())
        """

    init(path: String) throws {
        for line in try ExternalTool.python3.run(["-c", Self.script, path]).output.split(separator: "\n") {
            if line.hasPrefix("FAULT ") { fault = String(line.dropFirst(6)) }
            elements[String(line), default: 0] += 1
        }
    }

    /// How many elements there are.
    var count: Int { elements.values.reduce(0, +) }

    /// The elements that are in only one of two, for a message; the moment of the export left out.
    func difference(from other: ElementBag) -> [String] {
        func lines(_ one: ElementBag, _ two: ElementBag, _ sign: String) -> [String] {
            one.elements.filter { two.elements[$0.key] != $0.value && !$0.key.hasPrefix("[\"ExportDate\"") }
                .prefix(5).map { "\(sign) \($0.value) × \($0.key)" }
        }
        return lines(self, other, "-") + lines(other, self, "+")
    }
}
