/// What is wrong with a value, and where in its feature it is.
struct GeoJSONProblem: Error {
    /// The path from the feature to the value.
    var path: String
    /// The reason, as a part of a sentence.
    var reason: String
}
