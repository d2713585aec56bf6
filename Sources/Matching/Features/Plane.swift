import CMatching

/// One channel of values in `PlaneMemory`, row by row without padding, and `CM_SLACK` values behind
/// them for kernels that read whole vectors.
struct Plane<Value: FixedWidthInteger> {
    let width: Int
    let height: Int
    let values: UnsafeMutablePointer<Value>
    /// Keeps the values.
    private let memory: PlaneMemory

    init(
        _ width: Int, _ height: Int, at values: UnsafeMutablePointer<Value>, in memory: PlaneMemory
    ) {
        self.width = width
        self.height = height
        self.values = values
        self.memory = memory
    }

    /// The value in a column of a row.
    @inline(__always)
    subscript(x: Int, y: Int) -> Value { values[y * width + x] }
}

extension Plane<UInt16> {
    /// Fills it with a picture of its size, `CM_UNITS_PER_GREY` units a grey level.
    func fill(with image: GrayImage) {
        image.pixels.withUnsafeBufferPointer { pixels in
            for index in pixels.indices {
                values[index] = UInt16(pixels[index]) * UInt16(CM_UNITS_PER_GREY)
            }
        }
    }

    /// Fills it, half as large, with every second value of every second row.
    func fill(withHalfOf plane: Plane) {
        for y in 0..<height {
            let (row, source) = (values + y * width, plane.values + 2 * y * plane.width)
            for x in 0..<width { row[x] = source[2 * x] }
        }
    }

    /// Fills it, twice as large, with a plane's values and, between each two, their mean.
    func fill(withDoubleOf plane: Plane) {
        for y in 0..<height {
            let (above, below) = (y / 2, min((y + 1) / 2, plane.height - 1))
            for x in 0..<width {
                let (left, right) = (x / 2, min((x + 1) / 2, plane.width - 1))
                let upper = UInt32(plane[left, above]) + UInt32(plane[right, above])
                let lower = UInt32(plane[left, below]) + UInt32(plane[right, below])
                values[y * width + x] = UInt16((upper + lower) / 4)
            }
        }
    }
}
