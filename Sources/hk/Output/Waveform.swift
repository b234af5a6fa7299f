import Foundation
import HealthKitUI
import HealthModel

/// The voltages of an electrocardiogram, as lines and as a picture.
struct Waveform {
    private let title: String
    private let times: [Double]
    private let volts: [Double]

    /// - Returns: `nil` for an object that isn't a recording.
    init?(_ object: ObjectRecord, _ dates: DateOutput) {
        guard case .document(let document) = object.body else { return nil }
        times = document.series[ElectrocardiogramDocument.times] ?? []
        volts = document.series[ElectrocardiogramDocument.voltages(lead: 1)] ?? []
        let parts = [
            DocumentSummary.electrocardiogram(document), Self.heartRate(document),
            dates.minute(Date(timeIntervalSinceReferenceDate: object.start)),
        ].compactMap(\.self)
        let text = parts.joined(separator: ", ")
        title = text.prefix(1).uppercased() + text.dropFirst()
    }

    private static func heartRate(_ document: DocumentBody) -> String? {
        guard case .quantity(let rate)? = document[ElectrocardiogramDocument.averageHeartRate],
            let conversion = UnitConversion(between: rate.unit, and: "count/min")
        else { return nil }
        return "average heart rate \(NumberOutput.text(conversion(rate.value), digits: 0)) bpm"
    }

    /// Seconds and microvolts, a line each; an empty cell where there is no voltage.
    var csv: [UInt8] {
        var text = "time_s,voltage_uV\n"
        for (time, volt) in zip(times, volts) {
            text += "\(NumberOutput.plain(time)),\(volt.isNaN ? "" : NumberOutput.plain(volt * 1e6))\n"
        }
        return Array(text.utf8)
    }

    /// - Throws: `ImageError` if the picture can't be drawn.
    func png() throws -> Data {
        ResultFile.marked(png: try ElectrocardiogramDrawing(title: title, times: times, volts: volts).pngData())
    }
}
