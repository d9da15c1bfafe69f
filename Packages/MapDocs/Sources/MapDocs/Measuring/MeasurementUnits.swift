/// The system of units in which lengths and areas are shown.
public enum MeasurementUnits: String, CaseIterable, Hashable, Sendable {
    /// Metres and kilometres.
    case metric
    /// International feet (0.3048 m) and miles (5280 ft).
    case imperial
}
