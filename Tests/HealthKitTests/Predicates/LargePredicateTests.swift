import Foundation
import Testing

@testable import HealthKit

/// Predicate formats that nest without end, and patterns whose search would never end.
@Suite struct LargePredicateTests {
    @Test(arguments: ["(", "NOT ", "!", "value = {", "value = (", "value IN {1, {"])
    func nestingIsAnError(_ opening: String) {
        let format = String(repeating: opening, count: 100_000)
        #expect(throws: PredicateFormatError.self) { try NSPredicate.validate(format: format, arguments: []) }
    }

    @Test func usualNestingIsRead() throws {
        let format = String(repeating: "(", count: 150) + "value = 1" + String(repeating: ")", count: 150)
        #expect(
            try PredicateFormatParser.parse(format, arguments: [])
                == PredicateFormatParser.parse("value = 1", arguments: []))
    }

    @Test func longConjunctionsAreRead() throws {
        let format = Array(repeating: "value = 1", count: 20_000).joined(separator: " AND ")
        guard case .and(let nodes) = try PredicateFormatParser.parse(format, arguments: []) else {
            Issue.record("not a conjunction")
            return
        }
        #expect(nodes.count == 20_000)
    }

    private func like(_ text: String, _ pattern: String, _ flags: String = "") throws -> Bool {
        NSPredicate(format: "device.name LIKE\(flags) %@", pattern).evaluate(with: sample(text))
    }

    private func sample(_ text: String) -> HKQuantitySample {
        let device = HKDevice(
            name: text, manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil, softwareVersion: nil,
            localIdentifier: nil, udiDeviceIdentifier: nil)
        return HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 1),
            start: Date(timeIntervalSinceReferenceDate: 0), end: Date(timeIntervalSinceReferenceDate: 0),
            device: device, metadata: nil)
    }

    @Test(arguments: [
        ("Apple Watch", "Apple*", true), ("Apple Watch", "*Watch", true), ("Apple Watch", "*", true),
        ("Apple Watch", "A?ple Watch", true),
        ("Apple Watch", "a*", false), ("Apple Watch", "Apple", false), ("a.b", "a?b", true), ("acb", "a.b", false),
        ("", "*", true),
        ("", "?", false), ("abcabc", "*abc", true), ("abcab", "*abc", false), ("a*b", "a*b", true),
        ("x\ny", "x*y", true),
        ("aXbXc", "a*X*c", true),
    ])
    func patterns(_ text: String, _ pattern: String, _ isMatch: Bool) throws {
        #expect(try like(text, pattern) == isMatch)
    }

    /// With a regular expression in its place, each `*` would multiply the effort.
    @Test func manyStarsEnd() throws {
        let text = String(repeating: "a", count: 5_000)
        #expect(try !like(text, String(repeating: "*a", count: 500) + "*b"))
        #expect(try like(text, String(repeating: "*a", count: 500) + "*"))
        #expect(try like(text.uppercased(), String(repeating: "*a", count: 50) + "*", "[c]"))
    }

    @Test(arguments: [
        ("Apple Watch", "Apple.*", true), ("Apple Watch", "Apple", false), ("Apple Watch", "Watch", false),
        ("ab", "a|ab", true), ("ab", "(a|ab)", true),
        ("a\nb", "a.b", false), ("a\nb", "a\\sb", true), ("a", "a)(", false), ("a", "[", false), ("a\n", "a", false),
        ("Äpfel 🍎", ".pfel .", true),
    ])
    func regularExpressions(_ text: String, _ pattern: String, _ isMatch: Bool) {
        #expect(NSPredicate(format: "device.name MATCHES %@", pattern).evaluate(with: sample(text)) == isMatch)
    }

    /// Such patterns try all ways to divide a text, of which there are more than atoms.
    @Test(arguments: [
        "(a+)+", "(a|aa)+", "(a*)*b", "(.*a){25}", "((a{1,100}){1,100}){1,100}b", "(a|a?)+", "(?=(a+)+$)a*b",
        "(a+)+\\1b",
    ])
    func catastrophicPatternsEnd(_ pattern: String) async throws {
        let text = String(repeating: "a", count: 2_000) + "!"
        let undecided = sample(text)
        let matches = NSPredicate(format: "device.name MATCHES %@", pattern)
        let differs = NSPredicate(format: "NOT device.name MATCHES %@", pattern)
        #expect(!matches.evaluate(with: undecided))
        // Neither a predicate nor its negation is satisfied by a text for which the answer isn't known.
        #expect(
            pattern == "(.*a){25}" || pattern == "(a|aa)+" || pattern == "(?=(a+)+$)a*b"
                || !differs.evaluate(with: undecided))
        let store = FreshStore.make()
        try await store.save([undecided, sample("c")])
        let found = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.stepCount), predicate: matches)], sortDescriptors: []
        )
        .result(for: store)
        #expect(found.isEmpty)
    }

    @Test func longTextsAreMatched() {
        #expect(
            NSPredicate(format: "device.name MATCHES %@", "[ab]*c").evaluate(
                with: sample(String(repeating: "ab", count: 100_000) + "c")))
    }
}
