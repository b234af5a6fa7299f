package import HealthModel

extension ElectrocardiogramDocument {
    /// The leads that a recording has, each with its voltages. Twelve are as many as are in use anywhere.
    package static func leads(in series: [String: [Double]]) -> [(lead: Int, volts: [Double])] {
        (1...12).compactMap { lead in series[voltages(lead: lead)].map { (lead, $0) } }
    }
}
