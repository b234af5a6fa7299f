public import Foundation

/// A message for a log: a string literal, whose interpolations can have a format, an alignment and a privacy.
public struct OSLogMessage: ExpressibleByStringInterpolation {
    /// The message, with `<private>` for what must not be written.
    let text: String

    /// Creates a message from a literal, which is public.
    public init(stringLiteral value: String) {
        text = value
    }

    /// Creates a message from a literal with interpolations.
    public init(stringInterpolation: OSLogInterpolation) {
        text = stringInterpolation.text
    }

    init(format: StaticString, _ arguments: [any CVarArg]) {
        text = OSLogFormat(format.description).text(arguments)
    }
}

/// The parts of a message.
public struct OSLogInterpolation: StringInterpolationProtocol {
    var text = ""

    /// Creates an empty message.
    public init(literalCapacity: Int, interpolationCount: Int) {
        text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    /// Appends a part of the literal, which is public.
    public mutating func appendLiteral(_ literal: String) {
        text += literal
    }

    /// Appends a string, which is private unless declared public.
    public mutating func appendInterpolation(
        _ value: String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(value, align, privacy, isPublic: false)
    }

    /// Appends the description of a value, which is private unless declared public.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: CustomStringConvertible>(
        _ value: Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(value.description, align, privacy, isPublic: false)
    }

    /// Appends the description of an object or nothing, which is private unless declared public.
    public mutating func appendInterpolation(
        _ value: NSObject?, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(value?.description ?? "(null)", .none, privacy, isPublic: false)
    }

    /// Appends the description of an error, which is private unless declared public.
    public mutating func appendInterpolation(
        _ value: any Error, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append("\(value)", .none, privacy, isPublic: false)
    }

    /// Appends the name of a type, which is public.
    public mutating func appendInterpolation(
        _ value: any Any.Type, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto,
        attributes: String = ""
    ) {
        append("\(value)", align, privacy, isPublic: true)
    }

    /// Appends an integer, which is public unless declared private.
    public mutating func appendInterpolation<Value: FixedWidthInteger>(
        _ value: Value, format: OSLogIntegerFormatting = .decimal, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(format.text(value), align, privacy, isPublic: true)
    }

    /// Appends a number, which is public unless declared private.
    public mutating func appendInterpolation(
        _ value: Float, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(format.text(Double(value)), align, privacy, isPublic: true)
    }

    /// Appends a number, which is public unless declared private.
    public mutating func appendInterpolation(
        _ value: Double, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(format.text(value), align, privacy, isPublic: true)
    }

    /// Appends a number, which is public unless declared private.
    public mutating func appendInterpolation(
        _ value: CGFloat, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(format.text(Double(value)), align, privacy, isPublic: true)
    }

    /// Appends `true` or `false`, or `yes` or `no`, which is public unless declared private.
    public mutating func appendInterpolation(
        _ value: Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(format == .truth ? "\(value)" : value ? "yes" : "no", .none, privacy, isPublic: true)
    }

    private mutating func append(
        _ value: String, _ align: OSLogStringAlignment, _ privacy: OSLogPrivacy, isPublic: Bool
    ) {
        text += align.text(privacy.text(value, isPublic: isPublic))
    }
}
