/// When a sale may be refunded: approved at least one minute ago, on the same day in Mexico City, before 23:00 there.
public struct RefundWindow: Sendable {
    public static let minimumAgeMilliseconds: Int64 = 60_000
    public static let closingHour = 23

    private let zone: TimeZoneRule

    public init(zone: TimeZoneRule) {
        self.zone = zone
    }

    /// Nil when the refund is in time; else why not. Both limits are exact to the second: 60 s is allowed, 23:00:00 not.
    public func objection(approvedAt: Int64, soldAt: Int64, now: Int64) -> StatusInfo? {
        // No clock shows times that far apart: the record is not to be trusted.
        let (age, overflow) = now.subtractingReportingOverflow(approvedAt)
        guard !overflow else { return .tooLate }
        guard age >= Self.minimumAgeMilliseconds else { return .tooSoon }
        let local = zone.civilTime(atMilliseconds: now)
        guard local.isSameDay(as: zone.civilTime(atMilliseconds: soldAt)), local.hour < Self.closingHour else {
            return .tooLate
        }
        return nil
    }
}
