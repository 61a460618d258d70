#!/usr/bin/env bash
# A payment and its refund, from the USB bus to the receipt, without hardware: fwmockd plugs the firmware of a CCID reader
# with a test card into a USB bus that only readerctl sees. readerctl is the unmodified program with the real libusb and
# libudev. The clock is set to noon in Mexico City, so that the demo works at any hour.
#
# usage: demo.sh [DIRECTORY]: where readerctl and fwmockd are; else $READERKIT_BIN, else the release build of this checkout.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin=${1:-${READERKIT_BIN:-$root/.build/release}}

fail() {
    echo "demo: $*" >&2
    exit 1
}

for program in readerctl fwmockd; do
    [[ -x $bin/$program ]] || fail "there is no $bin/$program; build it with 'make build'."
done
command -v faketime >/dev/null || fail "faketime is missing; install it with 'make install-deps'."

data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
export READERKIT_DATA=$data/readerkit
# Mexico City has had no daylight saving time since 2022. Written this way it needs no zone files.
export TZ=CST6 LC_ALL=C.UTF-8
today=$(date +%F)

# kiosk TIME ARGUMENTS...: readerctl at that time of day, on the mock bus.
kiosk() {
    local time=$1
    shift
    "$bin/fwmockd" --limit 20 --device ccid:card=visa-credit -- \
        faketime -f "@$today $time" "$bin/readerctl" "$@"
}

say() {
    printf '\n== %s\n' "$1"
}

# shown TIME ARGUMENTS...: the command line, then what it does.
shown() {
    printf '$ readerctl'
    printf ' %q' "${@:2}"
    printf '\n'
    kiosk "$@"
}

# field NAME: of the JSON object on standard input.
field() {
    sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"
}

say "1. A reader on the USB bus, with a Visa test card in it"
shown 12:00:00 probe

say "2. A sale of 100.00 with a tip of 15.00, by chip, authorised by the simulated issuer"
sale=$(shown 12:00:00 sale --amount 100.00 --tip 15.00 --reference "Mesa 4" --json)
echo "$sale"
id=$(field transactionid <<<"$sale")
[[ -n $id && $(field outcome <<<"$sale") == approved ]] || fail "the sale was not approved."

say "3. Its receipt"
shown 12:00:10 receipt "$id" --language en

say "4. A refund half a minute later is too early: a rule refuses it (exit 9)"
status=0
shown 12:00:30 refund --transaction-id "$id" --json 2>"$data/messages" || status=$?
head -n 1 "$data/messages"
[[ $status == 9 ]] || fail "the early refund ended with $status, not with 9."

say "5. More than a minute after the sale it is approved"
refund=$(shown 12:01:10 refund --transaction-id "$id" --json)
echo "$refund"
[[ $(field outcome <<<"$refund") == approved ]] || fail "the refund was not approved."

say "6. What the ledger holds"
shown 12:01:20 transactions

say "Done: 115.00 taken, 115.00 given back."
