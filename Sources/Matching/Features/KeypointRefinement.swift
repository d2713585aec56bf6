import CMatching

/// Fits a parabola through an extremum and its neighbours, and drops what has too little contrast
/// or lies on an edge (Brown and Lowe 2002; Lowe 2004, section 4).
struct KeypointRefinement {
    /// Largest ratio of the principal curvatures; beyond it the extremum slides along an edge.
    static let edgeRatioMax: Float = 10
    /// Steps to a neighbouring pixel or plane, at most.
    static let stepsMax = 5

    /// A pixel of a plane.
    struct Place {
        var plane: Int
        var x: Int
        var y: Int
    }

    let differences: [Plane<Int16>]
    let octave: Int
    /// Contrast that a keypoint has at least.
    let contrastMin: Float

    /// The keypoint near an extremum, or nil if there is none worth keeping.
    func refined(_ start: Place) -> Keypoint? {
        var place = start
        for _ in 0..<Self.stepsMax {
            let gradient = gradient(at: place)
            let hessian = hessian(at: place)
            guard let offset = hessian.solution(of: gradient) else { return nil }
            if abs(offset.x) < 0.5, abs(offset.y) < 0.5, abs(offset.z) < 0.5 {
                return keypoint(place, offset, gradient, hessian)
            }
            // Beyond the largest picture there is nothing to find, and the conversion would trap.
            guard abs(offset.x) < 1_000, abs(offset.y) < 1_000, abs(offset.z) < 1_000 else {
                return nil
            }
            place.x += Int(offset.x.rounded())
            place.y += Int(offset.y.rounded())
            place.plane += Int(offset.z.rounded())
            guard isInside(place) else { return nil }
        }
        return nil
    }

    private func isInside(_ place: Place) -> Bool {
        let border = KeypointDetection.border
        return 1...ScaleSpace.layers ~= place.plane && place.x >= border && place.y >= border
            && place.x < differences[0].width - border && place.y < differences[0].height - border
    }

    private func keypoint(
        _ place: Place, _ offset: SIMD3<Float>, _ gradient: SIMD3<Float>, _ hessian: Hessian
    ) -> Keypoint? {
        let product = gradient * offset
        let rise = 0.5 * (product.x + product.y + product.z)
        let contrast = abs(value(place, 0, 0, 0) + rise)
        guard contrast >= contrastMin else { return nil }
        let trace = hessian.xx + hessian.yy
        let determinant = hessian.xx * hessian.yy - hessian.xy * hessian.xy
        let ratio = Self.edgeRatioMax
        guard determinant > 0, trace * trace * ratio < (ratio + 1) * (ratio + 1) * determinant
        else { return nil }
        return Keypoint(
            octave: octave, plane: place.plane, x: Float(place.x) + offset.x,
            y: Float(place.y) + offset.y, sigma: Self.sigma(Float(place.plane) + offset.z),
            response: contrast)
    }

    /// The blur between two planes: `sigma * 2^(plane / layers)`, by the Taylor polynomial of the
    /// power between whole planes.
    private static func sigma(_ plane: Float) -> Float {
        let whole = Int(plane)
        var sigma = ScaleSpace.sigma
        for _ in 0..<whole { sigma *= ScaleSpace.step }
        let logarithmOfStep = 0.231_049_060_186_648_43
        let rest = Double(plane - Float(whole)) * logarithmOfStep
        let power = 1 + rest * (1 + rest / 2 * (1 + rest / 3 * (1 + rest / 4 * (1 + rest / 5))))
        return Float(sigma * power)
    }

    @inline(__always)
    private func value(_ place: Place, _ dx: Int, _ dy: Int, _ dz: Int) -> Float {
        Float(differences[place.plane + dz][place.x + dx, place.y + dy])
            * (1 / Float(CM_UNITS_PER_GREY))
    }

    private func gradient(at place: Place) -> SIMD3<Float> {
        SIMD3(
            (value(place, 1, 0, 0) - value(place, -1, 0, 0)) * 0.5,
            (value(place, 0, 1, 0) - value(place, 0, -1, 0)) * 0.5,
            (value(place, 0, 0, 1) - value(place, 0, 0, -1)) * 0.5)
    }

    private func hessian(at place: Place) -> Hessian {
        let twice = value(place, 0, 0, 0) * 2
        let xy =
            value(place, 1, 1, 0) - value(place, -1, 1, 0) - value(place, 1, -1, 0)
            + value(place, -1, -1, 0)
        let xz =
            value(place, 1, 0, 1) - value(place, -1, 0, 1) - value(place, 1, 0, -1)
            + value(place, -1, 0, -1)
        let yz =
            value(place, 0, 1, 1) - value(place, 0, -1, 1) - value(place, 0, 1, -1)
            + value(place, 0, -1, -1)
        return Hessian(
            xx: value(place, 1, 0, 0) + value(place, -1, 0, 0) - twice,
            yy: value(place, 0, 1, 0) + value(place, 0, -1, 0) - twice,
            zz: value(place, 0, 0, 1) + value(place, 0, 0, -1) - twice,
            xy: xy * 0.25, xz: xz * 0.25, yz: yz * 0.25)
    }
}

/// Second derivatives along x, y and the planes.
struct Hessian {
    let xx, yy, zz, xy, xz, yz: Float

    /// Where the gradient vanishes, by Cramer's rule; nil where that is nowhere in particular.
    func solution(of gradient: SIMD3<Float>) -> SIMD3<Float>? {
        let minorX = yy * zz - yz * yz
        let minorY = xy * zz - yz * xz
        let minorZ = xy * yz - yy * xz
        let determinant = xx * minorX - xy * minorY + xz * minorZ
        guard abs(determinant) > 1e-12 else { return nil }
        let minorYY = xx * zz - xz * xz
        let minorYZ = xx * yz - xy * xz
        let minorZZ = xx * yy - xy * xy
        let (gx, gy, gz) = (gradient.x, gradient.y, gradient.z)
        return SIMD3(
            -(gx * minorX - gy * minorY + gz * minorZ) / determinant,
            -(gy * minorYY - gx * minorY - gz * minorYZ) / determinant,
            -(gx * minorZ - gy * minorYZ + gz * minorZZ) / determinant)
    }
}
