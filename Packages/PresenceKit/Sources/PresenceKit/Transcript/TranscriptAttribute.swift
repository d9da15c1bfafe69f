/// The attributes of a transcription stream.
public enum TranscriptAttribute {
    /// Names the segment that the stream's text belongs to.
    public static let segment = "lk.segment_id"
    /// Says whether the stream's text is final: `true` or `false`; it may come with the stream's end only.
    public static let isFinal = "lk.transcription_final"
}
