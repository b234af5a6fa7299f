/// What one measurement gives.
struct Measurement {
    var lines: [Line] = []
    var notes: [String] = []
}
