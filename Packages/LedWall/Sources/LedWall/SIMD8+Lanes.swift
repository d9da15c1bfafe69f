extension UnsafeBufferPointer<Float> {
    /// Reads eight numbers from `index` on; the caller keeps within the buffer.
    @inline(__always)
    func lanes(at index: Int) -> SIMD8<Float> {
        UnsafeRawBufferPointer(self)
            .loadUnaligned(fromByteOffset: index * MemoryLayout<Float>.stride, as: SIMD8<Float>.self)
    }
}

extension UnsafeMutableBufferPointer<Float> {
    /// Reads eight numbers from `index` on; the caller keeps within the buffer.
    @inline(__always)
    func lanes(at index: Int) -> SIMD8<Float> {
        UnsafeBufferPointer(self).lanes(at: index)
    }

    /// Writes eight numbers from `index` on; the caller keeps within the buffer.
    @inline(__always)
    func setLanes(at index: Int, to lanes: SIMD8<Float>) {
        UnsafeMutableRawBufferPointer(self)
            .storeBytes(of: lanes, toByteOffset: index * MemoryLayout<Float>.stride, as: SIMD8<Float>.self)
    }
}

extension SIMD8<Float> {
    /// Limits every lane to a range.
    @inline(__always)
    func limited(to lower: Float, _ upper: Float) -> SIMD8<Float> {
        let (lower, upper) = (SIMD8(repeating: lower), SIMD8(repeating: upper))
        let raised = replacing(with: lower, where: self .< lower)
        return raised.replacing(with: upper, where: raised .> upper)
    }
}
