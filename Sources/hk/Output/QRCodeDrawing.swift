import HealthServer

/// A QR code as text, for the camera of a phone.
enum QRCodeDrawing {
    /// The light modules around a code. The terminal adds its own margin to the two.
    private static let border = 2

    /// The code in half blocks, two rows of modules a line, in white on black where the terminal has colors; elsewhere,
    /// light modules are drawn, as on a dark screen.
    static func text(_ code: QRCode) -> String {
        let width = code.rows.count + 2 * border
        func isLight(_ row: Int, _ column: Int) -> Bool {
            let (row, column) = (row - border, column - border)
            guard code.rows.indices.contains(row), code.rows.indices.contains(column) else {
                // The last line has one row.
                return row < width - border
            }
            return !code.rows[row][column]
        }
        let lines = stride(from: 0, to: width, by: 2).map { row in
            let cells = (0..<width).map { column in
                switch (isLight(row, column), isLight(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "    " + Terminal.output.styled(cells.joined(), .whiteOnBlack)
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
