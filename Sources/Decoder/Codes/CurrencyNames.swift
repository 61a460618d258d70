// Made by scripts/generate-codes.py: do not edit.
// swift-format-ignore-file

extension CodeTable {
    /// ISO 4217: number, letters, minor digits (or -), name.
    static let currencyNamesData: StaticString = """
        008 ALL 2 Lek
        012 DZD 2 Algerian Dinar
        032 ARS 2 Argentine Peso
        036 AUD 2 Australian Dollar
        044 BSD 2 Bahamian Dollar
        048 BHD 3 Bahraini Dinar
        050 BDT 2 Taka
        051 AMD 2 Armenian Dram
        052 BBD 2 Barbados Dollar
        060 BMD 2 Bermudian Dollar
        064 BTN 2 Ngultrum
        068 BOB 2 Boliviano
        072 BWP 2 Pula
        084 BZD 2 Belize Dollar
        090 SBD 2 Solomon Islands Dollar
        096 BND 2 Brunei Dollar
        104 MMK 2 Kyat
        108 BIF 0 Burundi Franc
        116 KHR 2 Riel
        124 CAD 2 Canadian Dollar
        132 CVE 2 Cabo Verde Escudo
        136 KYD 2 Cayman Islands Dollar
        144 LKR 2 Sri Lanka Rupee
        152 CLP 0 Chilean Peso
        156 CNY 2 Yuan Renminbi
        170 COP 2 Colombian Peso
        174 KMF 0 Comorian Franc
        188 CRC 2 Costa Rican Colon
        191 HRK 2 Kuna
        192 CUP 2 Cuban Peso
        203 CZK 2 Czech Koruna
        208 DKK 2 Danish Krone
        214 DOP 2 Dominican Peso
        222 SVC 2 El Salvador Colon
        230 ETB 2 Ethiopian Birr
        232 ERN 2 Nakfa
        238 FKP 2 Falkland Islands Pound
        242 FJD 2 Fiji Dollar
        262 DJF 0 Djibouti Franc
        270 GMD 2 Dalasi
        292 GIP 2 Gibraltar Pound
        320 GTQ 2 Quetzal
        324 GNF 0 Guinean Franc
        328 GYD 2 Guyana Dollar
        332 HTG 2 Gourde
        340 HNL 2 Lempira
        344 HKD 2 Hong Kong Dollar
        348 HUF 2 Forint
        352 ISK 0 Iceland Krona
        356 INR 2 Indian Rupee
        360 IDR 2 Rupiah
        364 IRR 2 Iranian Rial
        368 IQD 3 Iraqi Dinar
        376 ILS 2 New Israeli Sheqel
        388 JMD 2 Jamaican Dollar
        392 JPY 0 Yen
        398 KZT 2 Tenge
        400 JOD 3 Jordanian Dinar
        404 KES 2 Kenyan Shilling
        408 KPW 2 North Korean Won
        410 KRW 0 Won
        414 KWD 3 Kuwaiti Dinar
        417 KGS 2 Som
        418 LAK 2 Lao Kip
        422 LBP 2 Lebanese Pound
        426 LSL 2 Loti
        430 LRD 2 Liberian Dollar
        434 LYD 3 Libyan Dinar
        446 MOP 2 Pataca
        454 MWK 2 Malawi Kwacha
        458 MYR 2 Malaysian Ringgit
        462 MVR 2 Rufiyaa
        480 MUR 2 Mauritius Rupee
        484 MXN 2 Mexican Peso
        496 MNT 2 Tugrik
        498 MDL 2 Moldovan Leu
        504 MAD 2 Moroccan Dirham
        512 OMR 3 Rial Omani
        516 NAD 2 Namibia Dollar
        524 NPR 2 Nepalese Rupee
        532 ANG 2 Netherlands Antillean Guilder
        533 AWG 2 Aruban Florin
        548 VUV 0 Vatu
        554 NZD 2 New Zealand Dollar
        558 NIO 2 Cordoba Oro
        566 NGN 2 Naira
        578 NOK 2 Norwegian Krone
        586 PKR 2 Pakistan Rupee
        590 PAB 2 Balboa
        598 PGK 2 Kina
        600 PYG 0 Guarani
        604 PEN 2 Sol
        608 PHP 2 Philippine Peso
        634 QAR 2 Qatari Rial
        643 RUB 2 Russian Ruble
        646 RWF 0 Rwanda Franc
        654 SHP 2 Saint Helena Pound
        682 SAR 2 Saudi Riyal
        690 SCR 2 Seychelles Rupee
        694 SLL 2 Leone
        702 SGD 2 Singapore Dollar
        704 VND 0 Dong
        706 SOS 2 Somali Shilling
        710 ZAR 2 Rand
        728 SSP 2 South Sudanese Pound
        748 SZL 2 Lilangeni
        752 SEK 2 Swedish Krona
        756 CHF 2 Swiss Franc
        760 SYP 2 Syrian Pound
        764 THB 2 Baht
        776 TOP 2 Pa’anga
        780 TTD 2 Trinidad and Tobago Dollar
        784 AED 2 UAE Dirham
        788 TND 3 Tunisian Dinar
        800 UGX 0 Uganda Shilling
        807 MKD 2 Denar
        818 EGP 2 Egyptian Pound
        826 GBP 2 Pound Sterling
        834 TZS 2 Tanzanian Shilling
        840 USD 2 US Dollar
        858 UYU 2 Peso Uruguayo
        860 UZS 2 Uzbekistan Sum
        882 WST 2 Tala
        886 YER 2 Yemeni Rial
        901 TWD 2 New Taiwan Dollar
        925 SLE 2 Leone
        926 VED 2 Bolívar Soberano
        927 UYW 4 Unidad Previsional
        928 VES 2 Bolívar Soberano
        929 MRU 2 Ouguiya
        930 STN 2 Dobra
        931 CUC 2 Peso Convertible
        932 ZWL 2 Zimbabwe Dollar
        933 BYN 2 Belarusian Ruble
        934 TMT 2 Turkmenistan New Manat
        936 GHS 2 Ghana Cedi
        938 SDG 2 Sudanese Pound
        940 UYI 0 Uruguay Peso en Unidades Indexadas (UI)
        941 RSD 2 Serbian Dinar
        943 MZN 2 Mozambique Metical
        944 AZN 2 Azerbaijan Manat
        946 RON 2 Romanian Leu
        947 CHE 2 WIR Euro
        948 CHW 2 WIR Franc
        949 TRY 2 Turkish Lira
        950 XAF 0 CFA Franc BEAC
        951 XCD 2 East Caribbean Dollar
        952 XOF 0 CFA Franc BCEAO
        953 XPF 0 CFP Franc
        955 XBA - Bond Markets Unit European Composite Unit (EURCO)
        956 XBB - Bond Markets Unit European Monetary Unit (E.M.U.-6)
        957 XBC - Bond Markets Unit European Unit of Account 9 (E.U.A.-9)
        958 XBD - Bond Markets Unit European Unit of Account 17 (E.U.A.-17)
        959 XAU - Gold
        960 XDR - SDR (Special Drawing Right)
        961 XAG - Silver
        962 XPT - Platinum
        963 XTS - Codes specifically reserved for testing purposes
        964 XPD - Palladium
        965 XUA - ADB Unit of Account
        967 ZMW 2 Zambian Kwacha
        968 SRD 2 Surinam Dollar
        969 MGA 2 Malagasy Ariary
        970 COU 2 Unidad de Valor Real
        971 AFN 2 Afghani
        972 TJS 2 Somoni
        973 AOA 2 Kwanza
        975 BGN 2 Bulgarian Lev
        976 CDF 2 Congolese Franc
        977 BAM 2 Convertible Mark
        978 EUR 2 Euro
        979 MXV 2 Mexican Unidad de Inversion (UDI)
        980 UAH 2 Hryvnia
        981 GEL 2 Lari
        984 BOV 2 Mvdol
        985 PLN 2 Zloty
        986 BRL 2 Brazilian Real
        990 CLF 4 Unidad de Fomento
        994 XSU - Sucre
        997 USN 2 US Dollar (Next day)
        999 XXX - The codes assigned for transactions where no currency is involved
        """
}
