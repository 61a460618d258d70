/// Card verification results within tag 9F10. A name of one space marks a bit that belongs to a number, which is shown
/// apart.
extension BitTable {
    /// Visa, the three bytes behind the length.
    static let visaShortResults = BitTable([
        [
            " ", " ", " ", " ", "issuer authentication failed", "offline PIN verification performed",
            "offline PIN verification failed", "unable to go online",
        ],
        visaHistory, visaScripts,
    ])

    /// Visa, five bytes.
    static let visaLongResults = BitTable([
        numbers,
        [
            " ", " ", " ", " ", "issuer authentication failed", "consumer device CVM performed",
            "offline PIN verification failed", "unable to go online",
        ],
        visaHistory, visaScripts,
        [
            "device not in debug mode", "device not rooted", "no hooks in the application", "application integrity",
            "data link", "genuine device", "consumer device CVM", "secure messaging by session key",
        ],
    ])

    /// M/Chip, six bytes.
    static let mChipResults = BitTable([
        [
            " ", " ", " ", " ", "date check failed", "offline PIN verification performed",
            "offline enciphered PIN verification performed", "offline PIN verification successful",
        ],
        [
            "DDA returned", "CDA returned in first GENERATE AC", "CDA returned in second GENERATE AC",
            "issuer authentication performed", "CIAC-Default skipped on CAT3", "offline change PIN successful",
            "issuer discretionary bit 2", "issuer discretionary bit 1",
        ],
        numbers,
        [
            "last online transaction not completed", "unable to go online", "offline PIN verification not performed",
            "offline PIN verification failed", "PIN try limit exceeded", "international transaction",
            "domestic transaction", "terminal erroneously considers offline PIN OK",
        ],
        [
            "lower consecutive offline limit exceeded", "upper consecutive offline limit exceeded",
            "lower cumulative offline limit exceeded", "upper cumulative offline limit exceeded",
            "go online on next transaction", "issuer authentication failed", "script received", "script failed",
        ],
        [
            "lower limit of counter 2 exceeded", "upper limit of counter 2 exceeded",
            "lower limit of accumulator 2 exceeded", "upper limit of accumulator 2 exceeded",
            "maximum transaction amount exceeded", "days offline limit exceeded",
            "match found in additional check table", "no match found in additional check table",
        ],
    ])

    /// Common Core Definitions (Book 3, Annex C7), five bytes.
    static let commonCoreResults = BitTable([
        [
            " ", " ", " ", " ", "CDA performed", "offline DDA performed", "issuer authentication not performed",
            "issuer authentication failed",
        ],
        [
            " ", " ", " ", " ", "offline PIN verification performed", "offline PIN verification not successful",
            "PIN try limit exceeded", "last online transaction not completed",
        ],
        [
            "lower offline transaction count limit exceeded", "upper offline transaction count limit exceeded",
            "lower cumulative offline amount limit exceeded", "upper cumulative offline amount limit exceeded",
            "issuer discretionary bit 1", "issuer discretionary bit 2", "issuer discretionary bit 3",
            "issuer discretionary bit 4",
        ],
        [
            " ", " ", " ", " ", "issuer script processing failed",
            "offline data authentication failed on previous transaction", "go online on next transaction",
            "unable to go online",
        ],
        [],
    ])

    private static let numbers: [StaticString] = [" ", " ", " ", " ", " ", " ", " ", " "]
    private static let visaHistory: [StaticString] = [
        "last online transaction not completed", "PIN try limit exceeded", "velocity checking limit exceeded",
        "new card", "issuer authentication failed on last online transaction",
        "issuer authentication not performed after online authorisation", "application blocked by PIN try limit",
        "SDA failed on last transaction",
    ]
    private static let visaScripts: [StaticString] = [
        " ", " ", " ", " ", "issuer script processing failed", "DDA failed on last transaction", "DDA performed",
        "PIN not received for a PIN-expecting card",
    ]
}
