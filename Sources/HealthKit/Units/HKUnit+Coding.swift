public import Foundation

extension HKUnit {
    private static let stringKey = "unitString"

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(unitString as NSString, forKey: HKUnit.stringKey)
    }

    /// The unit in an archive; `nil` when the archive holds no unit string that parses.
    public convenience init?(coder: NSCoder) {
        guard let string = coder.decodeObject(of: NSString.self, forKey: HKUnit.stringKey) as String?,
            let unit = HKUnit.parsed(string)
        else { return nil }
        self.init(sharing: unit)
    }
}
