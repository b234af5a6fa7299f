/// How a run of integers is written. The raw value is the run's first byte.
enum IntegerEncoding: UInt8 {
    /// All alike: the number.
    case constant = 0
    /// Offsets from a base, bit packed.
    case packed = 1
    /// As ``packed``, with the few numbers that do not fit listed apart.
    case patched = 2
    /// A table of distinct numbers and bit-packed places in it.
    case dictionary = 3
    /// Every number the same step behind the one before: the first and the step.
    case stride = 4
    /// Steps from one number to the next, as ``packed``.
    case steppedPacked = 5
    /// Steps from one number to the next, as ``patched``.
    case steppedPatched = 6
}
