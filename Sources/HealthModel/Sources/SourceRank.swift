/// The default places of sources when overlapping data is merged, best first.
///
/// The order is the project's choice where the original does not publish one: data typed in by
/// hand, Apple Watch, iPhone, then everything else with the newest source first.
public enum SourceRank: UInt8, Comparable, Sendable {
    /// Data a person typed in.
    case enteredByHand = 0
    /// An Apple Watch.
    case watch = 1
    /// An iPhone or iPod.
    case phone = 2
    /// Any other application or device.
    case other = 3

    /// The rank a source revision and device suggest by product type and device model.
    public init(revision: SourceRevisionRecord, device: DeviceRecord?) {
        let product = revision.productType ?? device?.hardwareVersion ?? ""
        let model = device?.model ?? ""
        if product.hasPrefix("Watch") || model == "Watch" {
            self = .watch
        } else if product.hasPrefix("iPhone") || product.hasPrefix("iPod") || model == "iPhone" {
            self = .phone
        } else {
            self = .other
        }
    }

    public static func < (left: SourceRank, right: SourceRank) -> Bool {
        left.rawValue < right.rawValue
    }
}
