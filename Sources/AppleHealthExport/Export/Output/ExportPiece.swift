import HealthModel

/// A piece of the archive on its way: made and packed by one thread, then written by another. Pieces are
/// used again, with all they have learnt.
// @unchecked: a piece belongs to one job at a time; the pipeline hands it over through a semaphore.
final class ExportPiece: @unchecked Sendable {
    /// The piece's text.
    let text = ByteBuffer(capacity: 1 << 20)
    /// What is written for it where the output packs; else unused.
    let packed = ByteBuffer(capacity: 1 << 10)
    /// CRC-32 of the text where the output wants it.
    var checksum: UInt = 0
    /// Packs this piece's text.
    var deflater: BlockDeflater?
    /// Writes records, and knows their attributes from the pieces before.
    let records: RecordWriter
    /// What came of this piece.
    var tally = ExportTally()
    /// What it wants told in the supplement.
    var supplement: [SupplementEntry] = []
    /// How many elements of each type it has that a reader makes samples and objects of.
    var placed: [TypeCode: Int] = [:]

    /// A buffer grown by something unusually large is let go again.
    private static let keptCapacity = 8 << 20

    init(style: RecordStyle) {
        records = RecordWriter(style: style)
    }

    /// Makes the piece ready for its next job.
    func reset() {
        text.removeAll()
        packed.removeAll()
        text.shrink(to: Self.keptCapacity)
        packed.shrink(to: Self.keptCapacity)
        tally = ExportTally()
        supplement = []
        placed = [:]
    }
}
