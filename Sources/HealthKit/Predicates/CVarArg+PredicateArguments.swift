public import Foundation

// Predicate arguments are often written `value as CVarArg`, which compiles with the original because
// every object is one there. Here the kinds that predicates take are made to conform; the encoding is
// never used, since format strings of this module receive the values themselves.

extension Date: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { timeIntervalSinceReferenceDate._cVarArgEncoding }
}

extension UUID: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { uuidString.hashValue._cVarArgEncoding }
}

extension NSDate: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { timeIntervalSinceReferenceDate._cVarArgEncoding }
}

extension NSUUID: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { hash._cVarArgEncoding }
}

extension NSNumber: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { doubleValue._cVarArgEncoding }
}

extension NSArray: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { hash._cVarArgEncoding }
}

extension HKQuantity: CVarArg {
    public var _cVarArgEncoding: [Int] { hash._cVarArgEncoding }
}

extension HKObject: CVarArg {
    public var _cVarArgEncoding: [Int] { hash._cVarArgEncoding }
}

extension HKSource: CVarArg {
    public var _cVarArgEncoding: [Int] { hash._cVarArgEncoding }
}

extension HKDevice: CVarArg {
    public var _cVarArgEncoding: [Int] { hash._cVarArgEncoding }
}
