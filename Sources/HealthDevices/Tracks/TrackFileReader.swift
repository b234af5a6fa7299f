import HealthFiles

/// Reads an XML file with tracks, element by element.
protocol TrackFileReader {
    /// The content read until now.
    var reading: FileContent { get set }
    /// The options with the activity and the time of tracks whose file doesn't say them.
    var options: ImportOptions { get set }

    init()

    /// An element begins. The path ends with it.
    mutating func begin(_ name: String, _ markup: borrowing MarkupReader)

    /// An element ends.
    ///
    /// - Parameters:
    ///   - text: The text in it.
    ///   - path: The elements around it.
    mutating func end(_ name: String, _ text: String, _ path: [String])

    /// The file is damaged here; nothing follows.
    mutating func endEarly()
}

extension TrackFileReader {
    /// Reads a file. Of one that is damaged, what is before the damage.
    static func read(_ bytes: [UInt8], options: ImportOptions = ImportOptions()) -> FileContent {
        var markup = MarkupReader(bytes)
        var reader = Self()
        reader.options = options
        do throws(MarkupReader.Failure) {
            while let event = try markup.next() {
                switch event {
                case .start(let name): reader.begin(name, markup)
                case .end(let name, let text): reader.end(name, text, markup.path)
                }
            }
        } catch {
            reader.reading.damages.append(
                .init(offset: error.offset, reason: "\(error.reason); what is before was read"))
            reader.endEarly()
        }
        return reader.reading
    }
}
