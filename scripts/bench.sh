#!/usr/bin/env bash
# Repeats the measurements of docs/performance.md. Ratios are taken side by side in one run; absolute times depend on the
# machine. Nothing else should be running.
set -euo pipefail
cd "$(dirname "$0")/.."
count="${1:-3000}"
rounds="${2:-7}"
# The standard libraries are linked in, as they are in the program that is shipped.
swift build -c release -Xswiftc -static-stdlib --product readerctl
swift build -c release -Xswiftc -static-stdlib --product readerbench
swift build -c release -Xswiftc -static-stdlib --product fwmockd
swift build -c release -Xswiftc -static-stdlib --product kernelbench
bin="$(swift build -c release -Xswiftc -static-stdlib --show-bin-path)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2046
cc -O2 -o "$work/ccid_plain" firmware-mocks/bench/plain/ccid_plain.c $(pkg-config --cflags --libs libusb-1.0)
cc -O2 -shared -fPIC -o "$work/malloc_count.so" firmware-mocks/bench/plain/malloc_count.c

bed() { "$bin/fwmockd" --limit 300 --device ccid:card=visa-credit -- "$@"; }
median() { sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }

echo "APDU exchange over the same mock reader, $rounds rounds of $count exchanges each, side by side (ns):"
: > "$work/c"; : > "$work/swift"
for _ in $(seq "$rounds"); do
    bed "$work/ccid_plain" "$count" >> "$work/c"
    bed "$bin/readerbench" "$count" >> "$work/swift"
done
c="$(median < "$work/c")"
swift="$(median < "$work/swift")"
echo "  plain C, two synchronous bulk transfers: $c"
echo "  driver:                                  $swift"
awk -v c="$c" -v s="$swift" 'BEGIN { printf "  ratio: %.3f\n", s / c }'

allocations() { bed env LD_PRELOAD="$work/malloc_count.so:libumockdev-preload.so.0" "$bin/readerbench" "$1" 2>&1 >/dev/null | awk '/^allocations/ {print $2}'; }
echo "Allocations per APDU exchange (difference of two runs):"
a="$(allocations 1000)"
b="$(allocations 3000)"
awk -v a="$a" -v b="$b" 'BEGIN { printf "  %.2f\n", (b - a) / 2000 }'

echo "readerctl probe --json, one mock reader, 21 runs, release build:"
bed python3 -c '
import os, sys, time
walls, peak = [], 0
for _ in range(21):
    start = time.perf_counter()
    child = os.posix_spawn(sys.argv[1], [sys.argv[1], "probe", "--json"], os.environ,
                           file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
    _, status, usage = os.wait4(child, 0)
    walls.append(time.perf_counter() - start)
    peak = max(peak, usage.ru_maxrss)
    assert status == 0, status
print("  wall median %.1f ms, best %.1f ms; peak memory %.1f MB" % (sorted(walls)[10] * 1e3, min(walls) * 1e3, peak / 1024))
' "$bin/readerctl"

kernelbench="$bin/kernelbench"
counted() { LD_PRELOAD="$work/malloc_count.so" "$kernelbench" "$@" 2>&1 >/dev/null | awk '/^allocations/ {print $2}'; }
echo "The kernel's own time for an approved contact transaction, median of $rounds rounds of 10,000, and its allocations:"
for card in visa-credit visa-sda visa-dda visa-dda-1984; do
    time="$(for _ in $(seq "$rounds"); do "$kernelbench" "$card" 10000; done | median)"
    a="$(counted "$card" 1000)"
    b="$(counted "$card" 3000)"
    awk -v card="$card" -v t="$time" -v a="$a" -v b="$b" \
        'BEGIN { printf "  %-14s %.3f ms, %.1f allocations\n", card, t / 1e6, (b - a) / 2000 }'
done

echo "Raw TLV, 200,000 records of 16 objects; allocations of the whole program with 1,000 and with 200,000 of them:"
for way in read outline; do
    a="$(counted "$way" 1000)"
    b="$(counted "$way" 200000)"
    echo "  $way: $("$kernelbench" "$way" 200000) MB/s, $a and $b allocations"
    [ "$a" = "$b" ] || { echo "  the number of allocations depends on the number of objects" >&2; exit 1; }
done

echo "Decoder and reader frames:"
scripts/bench-decode.sh
