extension CardProfile {
    /// Every built-in card, in the order in which lists show them. Empty only if a card file is damaged;
    /// `builtInProblem` then says which.
    public static let all: [CardProfile] = (try? builtIn.get()) ?? []

    /// What is wrong with the built-in card files; nil when nothing is.
    public static var builtInProblem: CardProfileError? {
        guard case .failure(let problem) = builtIn else { return nil }
        return problem
    }

    /// The built-in card of this name.
    public static func named(_ name: String) -> CardProfile? {
        all.first { $0.name == name }
    }

    private static let builtIn = Result { () throws(CardProfileError) in
        try read([
            PackageResources.visa_credit_json,
            PackageResources.mastercard_debit_json,
            PackageResources.visa_no_pse_json,
            PackageResources.visa_t0_json,
            PackageResources.mastercard_t1_json,
            PackageResources.visa_expired_json,
            PackageResources.visa_cvn18_json,
            PackageResources.declines_first_json,
            PackageResources.declines_second_json,
            PackageResources.approves_offline_json,
            PackageResources.blocked_application_json,
            PackageResources.blocked_card_json,
            PackageResources.mute_json,
            PackageResources.two_applications_json,
            PackageResources.no_name_json,
            PackageResources.long_pan_json,
            PackageResources.gpo_format_2_json,
            PackageResources.bad_afl_json,
            PackageResources.missing_cdol1_json,
            PackageResources.nonsense_json,
            PackageResources.pulled_json,
            PackageResources.pulled_first_json,
            PackageResources.pulled_second_json,
            PackageResources.slow_json,
            PackageResources.gpo_refused_json,
            PackageResources.blocked_directory_json,
            PackageResources.asks_to_confirm_json,
            PackageResources.cyrillic_name_json,
            PackageResources.twice_the_same_json,
            PackageResources.fillers_json,
            PackageResources.visa_sda_json,
            PackageResources.visa_dda_json,
            PackageResources.visa_dda_1984_json,
            PackageResources.mastercard_cda_json,
            PackageResources.mastercard_cda_bad_hash_json,
            PackageResources.pin_offline_json,
            PackageResources.visa_cvn22_json,
            PackageResources.mastercard_cvn17_json,
            PackageResources.mastercard_cvn20_json,
            PackageResources.mastercard_cvn21_json,
            PackageResources.ccd_json,
            PackageResources.ccd_aes_json,
            PackageResources.visa_offline_json,
        ])
    }
}
