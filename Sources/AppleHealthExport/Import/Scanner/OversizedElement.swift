/// What begins at a window's position is larger than ``ScanWindow/greatestElement``.
struct OversizedElement: Error {}
