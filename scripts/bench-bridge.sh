#!/usr/bin/env bash
# Measures `readerctl bridge` against socat for docs/performance.md, section "Serial bridge": the same reader's pseudo
# terminal, once bridged by the one and once by the other, in turn. With a third way for the latency: nothing in between.
# Nothing else should be running; `chrt -f 5 scripts/bench-bridge.sh` helps when it is.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds="${1:-9}"
count="${2:-5000}"
bytes="${3:-33554432}"
options=(-c release -Xswiftc -static-stdlib)
if [ -z "${BENCH_BIN:-}" ]; then
    swift build "${options[@]}" --product bridgebench
fi
bin="${BENCH_BIN:-$(swift build "${options[@]}" --show-bin-path)}"
command -v socat > /dev/null || { echo "socat is not installed" >&2; exit 1; }
work="$(mktemp -d)"
pids=()
end() {
    for pid in "${pids[@]}"; do kill "$pid" 2> /dev/null || true; done
    rm -rf "$work"
}
trap end EXIT
median() { sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }
appears() { for _ in $(seq 500); do [ -e "$1" ] && return; sleep 0.02; done; echo "$1 does not appear" >&2; exit 1; }

mkfifo "$work/open"
exec 9<> "$work/open"
"$bin/bridgebench" reader "$work/echo" <&9 > /dev/null & pids+=($!)
"$bin/bridgebench" source "$work/echo2" "$bytes" <&9 > /dev/null & pids+=($!)
for name in echo echo2; do appears "$work/$name"; done

# One bridge at a time has the reader: two that are asleep would cost nothing, but could not share it.
bridged() {
    local tool="$1" reader="$2" pid
    shift 2
    rm -f "$work/link"
    if [ "$tool" = socat ]; then
        socat "$(readlink "$reader"),raw,echo=0" "PTY,raw,echo=0,link=$work/link" & pid=$!
    else
        "$bin/bridgebench" bridge "$reader" "$work/link" & pid=$!
    fi
    appears "$work/link"
    sleep 0.1
    "$bin/bridgebench" "$@"
    kill "$pid"
    wait "$pid" 2> /dev/null || true
}

for _ in $(seq "$rounds"); do
    "$bin/bridgebench" latency "$work/echo" "$count" >> "$work/direct"
    bridged socat "$work/echo" latency "$work/link" "$count" >> "$work/socat-latency"
    bridged ours "$work/echo" latency "$work/link" "$count" >> "$work/ours-latency"
    bridged socat "$work/echo2" throughput "$work/link" "$bytes" >> "$work/socat-throughput"
    bridged ours "$work/echo2" throughput "$work/link" "$bytes" >> "$work/ours-throughput"
done
echo "Round trip of one byte, median of $rounds rounds of $count (ns):"
echo "  nothing in between: $(median < "$work/direct")"
echo "  socat:              $(median < "$work/socat-latency")"
echo "  bridge:             $(median < "$work/ours-latency")"
echo "Reader to program, $bytes bytes, median of $rounds rounds (bytes per second):"
echo "  socat:              $(median < "$work/socat-throughput")"
echo "  bridge:             $(median < "$work/ours-throughput")"
paste "$work/direct" "$work/socat-latency" "$work/ours-latency" "$work/socat-throughput" "$work/ours-throughput" |
    awk '{print "  round " NR ": " $0}'
