#!/usr/bin/env bash
# Measures `readerctl decode` for docs/performance.md, section "Decoder": 10,000 ARQC records of 171 bytes, one core.
set -euo pipefail
cd "$(dirname "$0")/.."
records="${1:-10000}"
swift build -c release -Xswiftc -static-stdlib --product readerctl
swift build -c release -Xswiftc -static-stdlib --product decodebench
bin="$(swift build -c release -Xswiftc -static-stdlib --show-bin-path)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 - "$work/arqc.bin" "$records" <<'EOF'
import sys
record = bytes.fromhex(
    "9F02060000000100009F03060000000000009F1A02048495050000048000"
    "5F2A0204849A032511309C01009F3704ABCDEF1082025C009F360200029F10120110A000092484000000"
    "00000000000029FF9F260828C1B1AE0414D78B9F2701809F3303E0B8C89F34031E03009F350122"
    "8407A00000000410109F090200025A08541333008960004457115413330089600044D14122010123409172"
    "5F3401015004564953419F410400000001")
with open(sys.argv[1], "wb") as file:
    file.write(record * int(sys.argv[2]))
print(f"record: {len(record)} bytes, {sys.argv[2]} records", file=sys.stderr)
EOF
size="$(stat -c %s "$work/arqc.bin")"
"$bin/decodebench" "$work/arqc.bin"
for option in "" --json; do
    python3 - "$bin/readerctl" "$work/arqc.bin" "$size" "$option" <<'EOF'
import resource, subprocess, sys
program, file, size, option = sys.argv[1:5]
best = 1e9
for _ in range(7):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "decode", *filter(None, [option]), file], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
print(f"readerctl decode {option}: {int(size) / best / 1e6:.1f} MB/s of CPU time, peak {after.ru_maxrss} kB")
EOF
done
if command -v emv-decode > /dev/null; then
    echo "emv-decode, time of one call with one record:"
    head -c 171 "$work/arqc.bin" | xxd -p | tr -d '\n' | (time xargs emv-decode --tlv) 2>&1 > /dev/null | grep real
fi
