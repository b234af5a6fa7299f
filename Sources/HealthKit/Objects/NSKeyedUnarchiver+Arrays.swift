public import Foundation

extension NSKeyedUnarchiver {
    /// Decodes an array of objects; `nil` for an archive of nothing. Foundation lacks the method on Linux.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` for an archive of something else, and what Foundation throws.
    public static func unarchivedArrayOfObjects<Object: NSObject & NSSecureCoding>(
        ofClass cls: Object.Type, from data: Data
    ) throws -> [Object]? {
        guard let found = try unarchivedObject(ofClasses: [NSArray.self, cls], from: data) else { return nil }
        guard let objects = found as? [Object] else { throw CocoaError(.coderReadCorrupt) }
        return objects
    }
}
