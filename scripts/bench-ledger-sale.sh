#!/usr/bin/env bash
# Measures the commits of a sale for docs/performance.md against two programs in C, one of them over SQLite:
# bench-ledger-sale.sh LEDGERBENCH [ROUNDS [DIRECTORY]]. With real-time priority where that is allowed. PIPELINEBENCH, which lies
# beside LEDGERBENCH, takes whole sales.
set -euo pipefail
bench="$(realpath "$1")"
pipeline="$(dirname "$bench")/pipelinebench"
rounds="${2:-41}"
cd "$(dirname "$0")/.."
work="$(mktemp -d "${3:-${TMPDIR:-/tmp}}/ledgersale.XXXXXX")"
memory=""
awake=""
trap 'rm -rf "$work" ${memory:+"$memory"}; [ -z "$awake" ] || kill "$awake"' EXIT
cc -O2 -Wall -o "$work/plain" firmware-mocks/bench/plain/ledger_plain.c
cc -O2 -Wall -o "$work/sqlite" firmware-mocks/bench/plain/ledger_sqlite.c -lsqlite3 -lpthread
cc -O2 -Wall -shared -fPIC -o "$work/slow_flush.so" firmware-mocks/bench/plain/slow_flush.c
cc -O2 -Wall -o "$work/awake" firmware-mocks/bench/plain/awake.c -lpthread
first=()
if chrt -f 5 true 2> /dev/null; then first=(chrt -f 5); else echo "no real-time priority"; fi
# A ledger with the first 101 sales, so that every program begins with the same file.
ledger() { mkdir -m 700 "$1" && "$bench" sale "$1" 1 > /dev/null; }
median() { awk '{print $1}' "$1" | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)], v[1]}'; }

ledger "$work/one"
ledger "$work/other"
"$bench" sale "$work/one" 30 > /dev/null
"$work/sqlite" "$work/other/ledger.sqlite" 30 > /dev/null
python3 - "$work/one/ledger.sqlite" "$work/other/ledger.sqlite" << 'END'
import sqlite3, sys
one, other = (list(sqlite3.connect(path).iterdump()) for path in sys.argv[1:])
sys.exit(0 if one == other else "the program in C leaves another file than the ledger")
END

mkdir -m 700 "$work/bytes"
bytes="$("$bench" bytes "$work/bytes")"
echo "bytes that the four commits of a sale add to the log: $bytes"
# The second and the last are flushed. Of a sale whose card answers at once the third goes with the last.
steps="$(echo "$bytes" | awk -F, -v OFS=, '{ $2 = $2 "!"; $4 = $4 "!"; print }')"
fewer="$(echo "$steps" | awk -F, -v OFS=, '{ print $1, $2, $4 }')"
# What a sale computes before each of its commits, some 100 us.
pause=100

# at_full_speed PLAIN SALES: of rounds that lie side by side those in which the simulated card, whose work is always the same, took
# at most 15 % longer than in the quickest: then no other machine had the processor's other half.
at_full_speed() {
    local rounds full
    rounds="$(paste "$1" "$2" | awk '{ print $5, $1, $3, $3 / $1 }' | sort -n)"
    full="$(echo "$rounds" | awk 'NR == 1 { most = 1.15 * $1 } $1 <= most { print $2, $3, $4 }')"
    middle() { echo "$full" | cut -d' ' -f"$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)], v[1], v[NR] }'; }
    echo "$(echo "$full" | wc -l) $(echo "$rounds" | wc -l) $(middle 1) $(middle 2) $(middle 3)" | awk '{
        printf "  %d of %d rounds at full speed: sale %.1f us, plain C %.1f us, sale / plain C %.2f (%.2f to %.2f)\n", \
            $1, $2, $6 / 1000, $3 / 1000, $9, $10, $11 }'
}

# compare DIRECTORY ROUNDS [NANOSECONDS]: rounds of 50 sales of each in turn; every flush takes so much longer.
compare() {
    local at="$1/compare" run=(env)
    if [ "${3:-0}" -gt 0 ]; then run+=("LD_PRELOAD=$work/slow_flush.so" "READERKIT_FLUSH_NANOSECONDS=$3"); fi
    run+=("${first[@]}")
    rm -rf "$at"
    mkdir -m 700 "$at"
    for name in sqlite thread swift pipeline; do ledger "$at/$name"; done
    echo "  load before: $(cut -d' ' -f1-3 /proc/loadavg)"
    for _ in $(seq "$2"); do
        "${run[@]}" "$work/plain" "$at/log" 50 "$steps" "$pause" >> "$at/1"
        "${run[@]}" "$work/sqlite" "$at/sqlite/ledger.sqlite" 50 >> "$at/2"
        "${run[@]}" "$work/sqlite" "$at/thread/ledger.sqlite" 50 thread >> "$at/3"
        "${run[@]}" "$bench" sale "$at/swift" 50 >> "$at/4"
        "${run[@]}" "$work/plain" "$at/log" 50 "$fewer" "$pause" >> "$at/5"
        "${run[@]}" "$pipeline" "$at/pipeline" 50 | sed '/commits/d' >> "$at/6"
    done
    echo "  load after: $(cut -d' ' -f1-3 /proc/loadavg)"
    for number in 1 2 3 4 5 6; do median "$at/$number"; done | tr '\n' ' ' | awk '{
        printf "  plain C, the same bytes:          %7.1f us (quietest round %.1f)\n", $1 / 1000, $2 / 1000
        printf "  C over SQLite:                    %7.1f us (%.1f)\n", $3 / 1000, $4 / 1000
        printf "  C over SQLite, a second thread:   %7.1f us (%.1f)\n", $5 / 1000, $6 / 1000
        printf "  ledger:                           %7.1f us (%.1f)\n", $7 / 1000, $8 / 1000
        printf "  ledger / plain C %.2f, / C over SQLite %.2f, / the same with a thread %.2f\n", $7 / $1, $7 / $3, $7 / $5
        printf "  plain C, the bytes of three commits: %4.1f us (%.1f)\n", $9 / 1000, $10 / 1000
        printf "  a whole sale without card and host: %5.1f us (%.1f)\n", $11 / 1000, $12 / 1000
    }'
    at_full_speed "$at/5" "$at/6"
    rm -rf "$at"
}

compare_all() {
    echo "a sale's commits, two of them flushed, medians of $rounds interleaved rounds of 50:"
    compare "$work" "$rounds"
    for longer in 500000 700000; do
        echo "the same with every flush $((longer / 1000)) us longer:"
        compare "$work" "$rounds" "$longer"
    done
}

if [ -d /dev/shm ] && memory="$(mktemp -d /dev/shm/ledgersale.XXXXXX)"; then
    echo "in memory, where a flush is free:"
    compare "$memory" "$rounds"
fi
echo "processors that fall asleep while a program waits for the disk:"
compare_all
"$work/awake" &
awake=$!
echo "processors that are kept awake:"
compare_all
kill "$awake"
awake=""

# What 1,000 sales more cost, so that starting the program does not count.
cpu() { { TIMEFORMAT='%U %S'; time "$@" > /dev/null; } 2>&1 | awk '{ print ($1 + $2) * 1000 }'; }
instructions() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 | awk '/refs:/ { gsub(",", ""); print $NF }'; }
# more MEASURE FEWER MOST PROGRAM...: "DIRECTORY" and "COUNT" among its arguments are replaced.
more() {
    local measure="$1" fewer="$2" most="$3" results=()
    shift 3
    for count in "$fewer" "$most"; do
        rm -rf "$work/more"
        ledger "$work/more"
        local arguments=("${@//COUNT/$count}")
        results+=("$("$measure" "${arguments[@]//DIRECTORY/$work/more}")")
    done
    echo "${results[@]}" | awk -v sales="$((most - fewer))" '{ print ($2 - $1) / sales }'
}
echo "CPU time of a sale, program and system (us), five times each:"
for _ in 1 2 3 4 5; do
    echo "  C over SQLite $(more cpu 500 2500 "${first[@]}" "$work/sqlite" DIRECTORY/ledger.sqlite COUNT)" \
        "with a thread $(more cpu 500 2500 "${first[@]}" "$work/sqlite" DIRECTORY/ledger.sqlite COUNT thread)" \
        "ledger $(more cpu 500 2500 "${first[@]}" "$bench" sale DIRECTORY COUNT)" |
        awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^[0-9.e+-]+$/) $i = sprintf("%.0f", $i * 1000); print "  " $0 }'
done
if command -v valgrind > /dev/null; then
    echo "instructions of the program for a sale (callgrind):"
    echo "  C over SQLite $(more instructions 100 400 "$work/sqlite" DIRECTORY/ledger.sqlite COUNT)"
    echo "  with a thread $(more instructions 100 400 "$work/sqlite" DIRECTORY/ledger.sqlite COUNT thread)"
    echo "  ledger        $(more instructions 100 400 "$bench" sale DIRECTORY COUNT)"
fi
