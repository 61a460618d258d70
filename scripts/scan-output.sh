#!/usr/bin/env bash
# Looks for test card numbers in clear in the output of a test run, spelled plainly or in groups of four, and fails if there
# is one: what the tests print, the programs under test may have printed.
set -euo pipefail
log="$1"
numbers=(4761739001010119 4111111111111111 4012888888881881 5413330089600044 5555555555554444 5105105105105100
    6799998900000060018)
found=0
for number in "${numbers[@]}"; do
    grouped="$(sed -E 's/(.{4})/\1[ -]?/g; s/\[ -\]\?$//' <<<"$number")"
    if matches="$(grep -nE "$grouped" "$log")"; then
        echo "A card number in clear in the output of the tests:" >&2
        head -n 5 <<<"$matches" | cut -c1-200 >&2
        found=1
    fi
done
exit "$found"
