import Foundation
import GRDBSQLite
import HealthModel

/// Where a value goes that SQLite asked for.
struct SQLResult {
    let context: OpaquePointer?

    func null() { sqlite3_result_null(context) }
    func integer(_ value: Int64) { sqlite3_result_int64(context, value) }
    func real(_ value: Double) { sqlite3_result_double(context, value) }

    /// A text that stays where it is as long as the connection.
    func text(_ text: PooledText?) {
        guard let text else { return null() }
        sqlite3_result_text(context, text.bytes, text.length, nil)
    }

    /// A text, copied.
    func text(_ text: String?) {
        guard var text else { return null() }
        text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else {
                return sqlite3_result_text(context, "", 0, Self.transient)
            }
            start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_result_text(context, $0, Int32(clamping: bytes.count), Self.transient)
            }
        }
    }

    /// Bytes, copied.
    func blob(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return sqlite3_result_zeroblob64(context, 0).ignored }
            sqlite3_result_blob(context, start, Int32(clamping: bytes.count), Self.transient)
        }
    }

    /// What a value of any kind is in SQL.
    func value(_ value: SQLValue) {
        switch value {
        case .null: null()
        case .integer(let number): integer(number)
        case .real(let number): real(number)
        case .text(let text): self.text(text)
        case .blob(let bytes): blob(bytes)
        }
    }

    /// An instant as text in the clock's zone.
    func date(_ instant: Double, _ clock: LocalClock) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: LocalClock.longestInstant) { buffer in
            let length = clock.writeInstant(instant, to: buffer.baseAddress!)
            bytes(buffer.baseAddress!, length)
        }
    }

    /// The day of an instant as text.
    func day(number: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: LocalClock.dayLength) { buffer in
            LocalClock.writeDay(number, to: buffer.baseAddress!)
            bytes(buffer.baseAddress!, LocalClock.dayLength)
        }
    }

    /// A UUID as HealthKit prints it.
    func uuid(_ uuid: UUID) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer in
            var place = 0
            withUnsafeBytes(of: uuid.uuid) { bytes in
                for (index, byte) in bytes.enumerated() {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        buffer[place] = UInt8(ascii: "-")
                        place += 1
                    }
                    buffer[place] = Self.digits[Int(byte >> 4)]
                    buffer[place + 1] = Self.digits[Int(byte & 15)]
                    place += 2
                }
            }
            bytes(buffer.baseAddress!, 36)
        }
    }

    func error(_ message: String) {
        sqlite3_result_error(context, message, -1)
    }

    private func bytes(_ start: UnsafeMutablePointer<UInt8>, _ length: Int) {
        start.withMemoryRebound(to: CChar.self, capacity: length) {
            sqlite3_result_text(context, $0, Int32(length), Self.transient)
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
    /// Has SQLite copy what it is given.
    private static let transient = unsafeBitCast(-1 as Int, to: sqlite3_destructor_type.self)
}

extension Int32 {
    /// A code that can only say that memory ran out, which SQLite tells by itself.
    fileprivate var ignored: Void { () }
}
