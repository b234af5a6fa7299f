import Foundation
import Testing

@testable import HealthKit

@Suite struct HKQueryAnchorTests {
    private let store = UUID()

    private func archived(_ anchor: HKQueryAnchor) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true)
    }

    private func unarchived(_ data: Data) throws -> HKQueryAnchor? {
        try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
    }

    @Test(arguments: [0, 1, Int64.max])
    func anAnchorSurvivesAnArchive(sequence: Int64) throws {
        for anchor in [
            HKQueryAnchor(store: store, sequence: sequence), HKQueryAnchor(store: nil, sequence: sequence),
        ] {
            let back = try unarchived(archived(anchor))
            #expect(back == anchor)
            #expect(back?.hash == anchor.hash)
        }
    }

    @Test func anchorsAreEqualAtOnePlaceOfOneStore() {
        let anchor = HKQueryAnchor(store: store, sequence: 7)
        #expect(anchor == HKQueryAnchor(store: store, sequence: 7))
        #expect(anchor != HKQueryAnchor(store: store, sequence: 8))
        #expect(anchor != HKQueryAnchor(store: UUID(), sequence: 7))
        #expect(HKQueryAnchor(fromValue: 7) == HKQueryAnchor(fromValue: 7))
        #expect(anchor.copy() as? HKQueryAnchor == anchor)
    }

    @Test func aPlaceCountsOnlyInItsStore() {
        let anchor = HKQueryAnchor(store: store, sequence: 7)
        #expect(anchor.position(in: store, lastSequence: 9) == 7)
        #expect(anchor.position(in: store, lastSequence: 7) == 7)
        #expect(anchor.position(in: store, lastSequence: 6) == 0)
        #expect(anchor.position(in: UUID(), lastSequence: 9) == 0)
        #expect(HKQueryAnchor(fromValue: 3).position(in: store, lastSequence: 9) == 3)
        #expect(HKQueryAnchor(fromValue: -3).position(in: store, lastSequence: 9) == 0)
    }

    /// Bytes that aren't an anchor throw or give nothing; they never end the process.
    @Test func damagedBytesGiveNothing() throws {
        let data = try archived(HKQueryAnchor(store: store, sequence: 7))
        #expect(throws: (any Error).self) { try unarchived(Data([1, 2, 3])) }
        #expect(throws: (any Error).self) { try unarchived(Data()) }
        let cut = try? unarchived(data.prefix(data.count / 2))
        #expect(cut == nil)
        let string = try NSKeyedArchiver.archivedData(
            withRootObject: "anchor" as NSString, requiringSecureCoding: true)
        #expect((try? unarchived(string)) == nil)
    }

    @Test func aNegativePositionInAnArchiveIsInvalid() throws {
        let data = try archived(HKQueryAnchor(store: nil, sequence: -1))
        #expect((try? unarchived(data)) == nil)
    }
}
