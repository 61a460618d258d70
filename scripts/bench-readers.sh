#!/usr/bin/env bash
# Measures many readers in one process for docs/performance.md, section "Many readers": bench-readers.sh [ROUNDS [SALES]].
# Rounds are interleaved, and medians taken. Nothing else should be running; the instructions do not mind.
# READERSBENCH names a program that is built already.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds="${1:-11}"
sales="${2:-1920}"
if [ -z "${READERSBENCH:-}" ]; then
    swift build -c release -Xswiftc -static-stdlib --product readersbench
    READERSBENCH="$(swift build -c release -Xswiftc -static-stdlib --show-bin-path)/readersbench"
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
counts="1 4 8 16 32"

median() { sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }
row() { # a value for each number of readers, then the greatest over the first, then the last over the first
    awk '{ printf "%10.1f", $1 / 1000; if (NR == 1) first = $1; if ($1 > most) most = $1; last = $1 }
         END { printf "   most/one %.3f, 32/one %.3f\n", most / first, last / first }'
}

# Of two runs, apart: what does not depend on the number of sales is gone.
instructions() {
    local way="$1" families="$2" readers="$3" few many
    refs() {
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$READERSBENCH" "$way" "$families" "$readers" "$1" 2>&1 \
            | awk '/refs:/ { gsub(",", ""); print $NF }'
    }
    few="$(refs 64)"
    many="$(refs 320)"
    echo $(((many - few) / 256))
}

measure() {
    local title="$1" way="$2" families="$3" readers cpu wall sleeps
    echo "$title; readers: $counts"
    rm -f "$work"/*
    for _ in $(seq "$rounds"); do
        for readers in $counts; do
            read -r cpu wall sleeps < <("$READERSBENCH" "$way" "$families" "$readers" "$sales")
            echo "$cpu" >> "$work/cpu.$readers"
            echo "$wall" >> "$work/wall.$readers"
            echo "$sleeps" >> "$work/sleeps.$readers"
        done
    done
    printf '  CPU time of a sale, us:     '
    for readers in $counts; do median < "$work/cpu.$readers"; done | row
    printf '  wall time of a sale, us:    '
    for readers in $counts; do median < "$work/wall.$readers"; done | row
    printf '  times a thread slept:       '
    for readers in $counts; do median < "$work/sleeps.$readers"; done | row
    if command -v valgrind > /dev/null; then
        printf '  instructions of a sale, k:  '
        for readers in $counts; do instructions "$way" "$families" "$readers"; done | row
    fi
}

echo "$rounds rounds of $sales sales each; driver, kernel, card and the reader's firmware are all in the process"
measure "CCID, in memory" memory ccid
measure "CCID, NEO2, QPOS and MPI, in memory" memory ccid,neo2,qpos,mpi
measure "NEO2, QPOS and MPI, on pseudo terminals" lines neo2,qpos,mpi
