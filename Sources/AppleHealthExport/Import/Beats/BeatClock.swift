import HealthModel

/// A clock time as a phone prints it, taken apart: `7:47:41.86 PM`, `08:33:44,67`, `午後7:47:41.86`.
///
/// Only minutes, seconds and hundredths are understood. The hour stands among what is around them, whatever
/// the language does with it: a beat's instant does not depend on it.
struct BeatClock: Equatable {
    /// Up to the minutes: the hour, and in some languages the half of the day.
    var head: String
    /// Between minutes and seconds.
    var middle: String
    /// Between seconds and hundredths.
    var point: String
    /// After the hundredths.
    var tail: String
    /// The digit zero of the script.
    var zero: Unicode.Scalar = "0"
    /// Hundredths of a second since the full hour.
    var ticks: Int

    /// No clock's text is longer.
    static let longest = 64
    /// Hundredths of a second in an hour.
    static let hour = 360_000

    /// Takes a text of four numbers apart, of which the last three have two digits; `nil` for any other.
    init?(_ text: String) {
        var runs: [(digits: [Int], start: Int, end: Int)] = []
        let scalars = Array(text.unicodeScalars)
        guard scalars.count <= Self.longest else { return nil }
        var zero: Unicode.Scalar?
        for (index, scalar) in scalars.enumerated() {
            guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue,
                let digit = Int(exactly: value), let ownZero = Unicode.Scalar(scalar.value - UInt32(digit))
            else { continue }
            guard zero == nil || zero == ownZero else { return nil }
            zero = ownZero
            if let last = runs.last, last.end == index {
                runs[runs.count - 1].digits.append(digit)
                runs[runs.count - 1].end = index + 1
            } else {
                runs.append(([digit], index, index + 1))
            }
        }
        guard runs.count == 4, runs[0].digits.count <= 2, runs[1...].allSatisfy({ $0.digits.count == 2 }), let zero
        else { return nil }
        let numbers = runs[1...].map { $0.digits[0] * 10 + $0.digits[1] }
        guard numbers[0] < 60, numbers[1] < 60 else { return nil }
        func between(_ start: Int, _ end: Int) -> String {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[start..<end])
            return String(text)
        }
        head = between(0, runs[1].start)
        middle = between(runs[1].end, runs[2].start)
        point = between(runs[2].end, runs[3].start)
        tail = between(runs[3].end, scalars.count)
        self.zero = zero
        ticks = numbers[0] * 6_000 + numbers[1] * 100 + numbers[2]
    }

    /// Whether another time is printed in the same way within the same hour.
    func isLike(_ other: BeatClock) -> Bool {
        var other = other
        other.ticks = ticks
        return self == other
    }

    /// The text of a time in the same hour.
    func text(ticks: Int) -> String {
        head + pair(ticks / 6_000) + middle + pair(ticks / 100 % 60) + point + pair(ticks % 100) + tail
    }

    private func pair(_ number: Int) -> String {
        var text = String.UnicodeScalarView()
        for digit in [number / 10, number % 10] {
            text.append(Unicode.Scalar(zero.value + UInt32(digit)) ?? "0")
        }
        return String(text)
    }
}
