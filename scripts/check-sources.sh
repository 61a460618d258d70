#!/usr/bin/env bash
# House rules that no compiler checks. Prints each offence and fails.
set -euo pipefail
cd "$(dirname "$0")/.."
offences=0

report() {
    if [ -n "$2" ]; then
        echo "$1" >&2
        printf '%s\n' "$2" | sed 's/^/  /' >&2
        offences=1
    fi
}

swift_files() { git ls-files -co --exclude-standard "$@" | grep '\.swift$' || true; }

# Foundation proper pulls in Unicode data of thirty megabytes; libraries that need JSON use FoundationEssentials.
report "Foundation is imported outside tests:" \
    "$(swift_files Sources firmware-mocks | xargs -r grep -nE '^(public |internal )?import Foundation$')"

# Dispatch timers and Task.sleep hang under libfaketime; waits go through MonotonicClock.
report "A wait that does not go through MonotonicClock:" \
    "$(swift_files Sources firmware-mocks | xargs -r grep -nE 'Task\.sleep|DispatchQueue|\busleep\(|(^|[^a-zA-Z.])sleep\([0-9]' | grep -vE ':[0-9]+: *//')"

# An unchecked promise needs its proof beside it.
for file in $(swift_files Sources firmware-mocks | xargs -r grep -lE '@unchecked Sendable|nonisolated\(unsafe\)'); do
    while IFS=: read -r line _; do
        from=$((line > 8 ? line - 8 : 1))
        if ! sed -n "${from},${line}p" "$file" | grep -q '//'; then
            report "An unchecked promise without a comment that proves it:" "$file:$line"
        fi
    done < <(grep -nE '@unchecked Sendable|nonisolated\(unsafe\)' "$file")
done

# Each system library has one owner.
check_owner() {
    report "$1 is imported outside Sources/$2:" \
        "$(swift_files Sources firmware-mocks | grep -v "^Sources/$2/" | xargs -r grep -nE "import $1$")"
}
check_owner CLibUSB USB
check_owner CLibUDev Discovery
check_owner CSQLite Ledger
check_owner COpenSSL Crypto
check_owner COpenSSLTLS NetworkTransport
check_owner CCurl HTTPClient
check_owner CInotify Serial

report "Dumping grounds:" "$(git ls-files -co --exclude-standard | grep -E '/(Utils|Helpers|Common|Misc)[./]' || true)"

exit "$offences"
