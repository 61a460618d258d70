#!/usr/bin/env bash
# Measures the ledger for docs/performance.md, section "Ledger": bench-ledger.sh [MOST-ROWS [DIRECTORY]]. Ten million rows
# need some 26 GB of free space for a while, in DIRECTORY (else where temporary files go). Nothing else should be running.
set -euo pipefail
cd "$(dirname "$0")/.."
most="${1:-10000000}"
swift build -c release -Xswiftc -static-stdlib --product ledgerbench
swift build -c release -Xswiftc -static-stdlib --product pipelinebench
bench="$(swift build -c release -Xswiftc -static-stdlib --show-bin-path)/ledgerbench"
work="$(mktemp -d "${2:-${TMPDIR:-/tmp}}/ledgerbench.XXXXXX")"
trap 'rm -rf "$work"' EXIT
ledger() { mkdir -m 700 "$work/$1"; echo "$work/$1"; }

scripts/bench-ledger-sale.sh "$bench" 41 ${2:+"$2"}

echo "64 readers, 100 sales each, three times:"
for round in 1 2 3; do "$bench" group "$(ledger "group$round")" 100; done

echo "size: start-up; question by id and by identifier, median and 99th percentile (us); export (ms)"
directory="$(ledger rows)"
"$bench" open "$directory" 1 > "$work/warm"
forget() { sync "$1"; python3 -c 'import os, sys; os.posix_fadvise(os.open(sys.argv[1], 0), 0, 0, os.POSIX_FADV_DONTNEED)' "$1"; }
for rows in 10000 100000 1000000 10000000; do
    [ "$rows" -le "$most" ] || break
    python3 scripts/bench-ledger-rows.py "$directory" "$rows"
    forget "$directory/ledger.sqlite"
    echo "  first opening, nothing in memory: $(("$("$bench" open "$directory" 1)" / 1000)) us"
    echo "  opening: $(("$("$bench" open "$directory" 5)" / 1000)) us"
    forget "$directory/ledger.sqlite"
    echo "  questions, nothing in memory: $("$bench" lookup "$directory" 1000 | awk '{ printf "%.0f %.0f, %.0f %.0f\n", $1/1000, $2/1000, $3/1000, $4/1000 }')"
    echo "  questions: $("$bench" lookup "$directory" 1000 | awk '{ printf "%.0f %.0f, %.0f %.0f\n", $1/1000, $2/1000, $3/1000, $4/1000 }')"
    echo "  export of everything: $("$bench" export "$directory" | awk '{print $1 " ms, " $2 " rows"}')"
done
