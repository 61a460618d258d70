#!/usr/bin/env bash
# Runs the tests that are already built, with the flags they were built with, and then looks for card numbers in all that
# they and the programs under test have printed.
#
# The hardware checks, serial lines and the lines to a host wait on real devices, sockets and clocks; they run by themselves
# first, so that no thread that computes keeps them waiting.
set -euo pipefail
cd "$(dirname "$0")/.."
log=.build/test-output.log
: > "$log"
status=0
alone='^(SharedChecksTests|AcquirerHostTests|NetworkTransportTests|SerialTests|USBSerialTests|BridgeTests)[.]'
alone+='|^ReadersTests[.](Kernel|NEO2)Serial|^BlackBoxTests[.](Serial|Bridge|TTY)'
swift test --skip-build "$@" --no-parallel --filter "$alone" 2>&1 | tee -a "$log" || status=1
swift test --skip-build "$@" --skip "$alone" 2>&1 | tee -a "$log" || status=1
scripts/scan-output.sh "$log" || status=1
exit "$status"
