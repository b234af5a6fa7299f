import Foundation
import Testing

/// The screens of the page, as CONTRIBUTING.md says how to add one.
@Suite("Screens of the page")
struct PageScreenTests {
    /// The parts that screens of a page lack, each in a sentence.
    private static func gaps(_ page: URL, _ browser: URL) throws -> [String] {
        func joined(_ extensions: Set<String>, in folder: URL) throws -> String {
            try PageSources.files(extensions, in: folder).map(PageSources.text).joined(separator: "\n")
        }
        let routers = try ["main.js", "screens/trends.js"].map {
            try PageSources.text(page.appendingPathComponent($0))
        }
        let loaded = Set(
            routers.flatMap { $0.matches(of: /import\("\.\/(?:screens\/)?([\w-]+\.js)"\)/).map { String($0.1) } })
        let server = try joined(["swift"], in: PageSources.root.appendingPathComponent("Sources/HealthServer"))
        let (links, tests) = (try joined(["js", "html"], in: page) + server, try joined(["py"], in: browser))
        var gaps: [String] = []

        let screens = PageSources.files(["js"], in: page.appendingPathComponent("screens"))
        for file in screens {
            let (name, text) = (file.lastPathComponent, try PageSources.text(file))
            if !loaded.contains(name) { gaps.append("\(name): neither main.js nor screens/trends.js loads it") }
            if !text.contains(/\nexport (async )?function render\(/) { gaps.append("\(name): it exports no render") }
            if !text.contains("localized(\"") { gaps.append("\(name): it has no text") }
        }
        // Screens by the part of the address that names them; those of types are reached by the types' names.
        let entry = /(?m)^  "?([\w-]+)"?: \(.*\) => (?:import|screenOfType)\(/
        let (trends, types) = try #require(routers[1].split(separator: "const typeScreens", maxSplits: 1).pair)
        let names = routers[0].matches(of: entry).map { String($0.1) }
        let addresses = names + trends.matches(of: entry).map { "trends/" + $0.1 }
        for address in addresses {
            let name = address.split(separator: "/").last ?? ""
            let linked =
                ["\"", "`", "/", "?"].map { "#/\(address)\($0)" } + ["[\"\(name)\", localized", "link(\"\(name)\", "]
                + ["addressOf([\"trends\", \"\(name)\""]
            if !linked.contains(where: { links.contains($0) }) { gaps.append("\(address): no link leads to it") }
            let opened = ["\"", "'", "/"].flatMap { end in ["\"", "'", "/"].map { $0 + address + end } }
            if !opened.contains(where: { tests.contains($0) }) { gaps.append("\(address): no test opens it") }
        }
        for type in types.matches(of: entry).map(\.1) {
            let identifier = "Identifier" + type.prefix(1).uppercased() + type.dropFirst()
            if !tests.contains(identifier) { gaps.append("\(type): no test opens it") }
        }
        #expect(names.count >= 7 && addresses.count >= 15 && screens.count >= 18)
        return gaps
    }

    @Test("Each is a module that a router loads, with texts, a link that leads to it, and a test in the browser")
    func areComplete() throws {
        #expect(try Self.gaps(PageSources.page, PageSources.browser) == [])
    }

    @Test("The page asks at once for all modules of its first screen")
    func firstModules() throws {
        var modules: Set<String> = []
        var next = ["main.js", "screens/today.js"]
        while let module = next.popLast() {
            guard modules.insert(module).inserted else { continue }
            let file = PageSources.page.appendingPathComponent(module)
            let folder = file.deletingLastPathComponent()
            // Not those that are imported by a call, when they are needed.
            for found in try PageSources.text(file).matches(of: /(?m)^(?:import|export|\}).* from "([^"]+)";$/) {
                let path = folder.appendingPathComponent(String(found.1)).standardizedFileURL.path
                next.append(String(path.dropFirst(PageSources.page.standardizedFileURL.path.count + 1)))
            }
        }
        let page = try PageSources.text(PageSources.page.appendingPathComponent("index.html"))
        let preloaded = page.matches(of: /rel="modulepreload" href="([^"]+)"/).map { String($0.1) }
        #expect(modules.count > 20 && Set(preloaded) == modules && preloaded.count == modules.count)
    }

    @Test("Each file of a new screen that is forgotten is named")
    func newScreen() throws {
        let copy = try DashboardCopy()
        let file = copy.page.appendingPathComponent("screens/fitness.js")
        try Data("// Fitness.\n".utf8).write(to: file)
        #expect(
            try Self.gaps(copy.page, copy.browser) == [
                "fitness.js: neither main.js nor screens/trends.js loads it", "fitness.js: it exports no render",
                "fitness.js: it has no text",
            ])
        let module =
            "import { localized } from \"../app/language.js\";\n\nexport function render({ main }) {\n"
            + "  main.append(localized(\"My fitness\"));\n}\n"
        try Data(module.utf8).write(to: file)
        let (router, entry) = (copy.page.appendingPathComponent("screens/trends.js"), "  rings: () =>")
        try PageSources.write(
            "  fitness: () => import(\"./fitness.js\"),\n\(entry)", to: router, inPlaceOf: entry)
        #expect(
            try Self.gaps(copy.page, copy.browser) == [
                "trends/fitness: no link leads to it", "trends/fitness: no test opens it",
            ])
        #expect(
            try PageTexts(page: copy.page).gaps(in: copy.page.appendingPathComponent("languages/de.json"))
                == ["“My fitness” is missing"])
        let rings = "  [\"rings\","
        try PageSources.write(
            "  [\"fitness\", localized(\"My fitness\")],\n\(rings)",
            to: copy.page.appendingPathComponent("components/trend-sections.js"), inPlaceOf: rings)
        let tested = "    \"rings\": \"trends/rings\","
        try PageSources.write(
            "    \"fitness\": \"trends/fitness\",\n\(tested)", to: copy.browser.appendingPathComponent("whole_page.py"),
            inPlaceOf: tested)
        #expect(try Self.gaps(copy.page, copy.browser) == [])
    }
}

extension Array {
    /// The two elements; `nil` if there are more or fewer.
    fileprivate var pair: (Element, Element)? { count == 2 ? (self[0], self[1]) : nil }
}
