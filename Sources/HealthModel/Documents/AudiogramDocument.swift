/// What the document of a hearing test calls its fields, and which numbers it takes.
public enum AudiogramDocument {
    /// The list of sensitivity points, each a record of ``Point``.
    public static let points = "sensitivityPoints"

    /// The fields of what was found at one frequency.
    public enum Point {
        /// The frequency of the tone, a quantity.
        public static let frequency = "frequency"
        /// The list of readings, each a record of ``Test``.
        public static let tests = "tests"
    }

    /// The fields of one reading of one ear.
    public enum Test {
        /// The faintest tone heard, a quantity.
        public static let sensitivity = "sensitivity"
        /// Raw value of how the tone reached the ear.
        public static let type = "type"
        /// Whether the other ear was kept busy with noise.
        public static let masked = "masked"
        /// Raw value of the ear.
        public static let side = "side"
        /// The range the reading was cut to, a record of ``ClampingRange``; missing where it was not.
        public static let clampingRange = "clampingRange"
    }

    /// The fields of a range to which readings are cut, in decibels of hearing level.
    public enum ClampingRange {
        /// The least reading; missing where nothing bounds it.
        public static let lower = "lowerBound"
        /// The greatest reading; missing where nothing bounds it.
        public static let upper = "upperBound"
    }

    /// Raw value of a tone through the air.
    public static let air: Int64 = 0
    /// Raw value of the left ear.
    public static let left: Int64 = 0
    /// Raw value of the right ear.
    public static let right: Int64 = 1

    /// The greatest frequency of a point, in hertz. The original does not publish its own; this is where
    /// hearing ends.
    public static let greatestFrequency = 20_000.0

    /// The range a sensitivity may lie in, in decibels of hearing level. The original does not publish its
    /// own; this one is wider than what audiometers measure.
    public static let sensitivities = -50.0...200.0
}
