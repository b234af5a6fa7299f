/// The limit that means none.
public let HKObjectQueryNoLimit: Int = 0

/// The number that stands for the beginning, for queries that take their anchor as a number.
public let HKAnchoredObjectQueryNoAnchor: Int32 = 0
