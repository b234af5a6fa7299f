extension ByteWriter {
    /// Packs `count` numbers, each below two to the power of `width`.
    mutating func packed(count: Int, width: Int, _ number: (Int) -> UInt64) {
        guard width > 0, count > 0 else { return }
        filling(BitPacking.size(count: count, width: width)) { target in
            guard let base = target.baseAddress else { return }
            if width == 64 {
                for index in 0..<count {
                    base.storeBytes(of: number(index).littleEndian, toByteOffset: index * 8, as: UInt64.self)
                }
                return
            }
            var pending: UInt64 = 0
            var filled = 0
            var place = 0
            for index in 0..<count {
                let value = number(index)
                pending |= value << UInt64(filled)
                filled += width
                if filled >= 64 {
                    base.storeBytes(of: pending.littleEndian, toByteOffset: place, as: UInt64.self)
                    place += 8
                    filled -= 64
                    pending = filled == 0 ? 0 : value >> UInt64(width - filled)
                }
            }
            while filled > 0 {
                base.storeBytes(of: UInt8(truncatingIfNeeded: pending), toByteOffset: place, as: UInt8.self)
                pending >>= 8
                place += 1
                filled -= 8
            }
        }
    }
}
