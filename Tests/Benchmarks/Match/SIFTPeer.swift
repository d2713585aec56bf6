import Foundation

/// OpenCV's SIFT in a Python process of its own, one thread.
final class SIFTPeer {
    private let process = Process()
    private let requests = Pipe()
    private let answers = Pipe()

    /// Starts the peer with a Python that has `opencv-python-headless`.
    init(python: String, side: Int, features: Int) throws {
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", Self.script, "\(side)", "\(features)"]
        process.standardInput = requests
        process.standardOutput = answers
        try process.run()
        Started.add(process.processIdentifier)
    }

    /// Processor milliseconds of one extraction of a picture, decoding left out, and the number of
    /// features.
    func milliseconds(of path: String) throws -> (milliseconds: Double, features: Int) {
        try requests.fileHandleForWriting.write(contentsOf: Data("\(path)\n".utf8))
        var line: [UInt8] = []
        while let byte = try answers.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
            line.append(byte)
        }
        let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard parts.count == 2, let time = Double(parts[0]), let features = Int(parts[1]) else {
            throw BenchError(
                .answer, "the peer answered '\(String(decoding: line, as: UTF8.self))'")
        }
        return (time, features)
    }

    deinit {
        try? requests.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// OpenCV always doubles a picture first: half of it makes the first octave of full size.
    private static let script = """
        import sys, time, cv2
        cv2.setNumThreads(1)
        side, features = int(sys.argv[1]), int(sys.argv[2])
        sift = cv2.SIFT_create(nfeatures=features, contrastThreshold=0.02)
        for line in sys.stdin:
            picture = cv2.imread(line.rstrip("\\n"), cv2.IMREAD_GRAYSCALE)
            scale = side / max(picture.shape)
            if scale < 1:
                picture = cv2.resize(picture, None, fx=scale, fy=scale,
                                     interpolation=cv2.INTER_AREA)
            start = time.process_time()
            half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            points, rows = sift.detectAndCompute(half, None)
            print((time.process_time() - start) * 1000, len(points), flush=True)
        """
}
