#!/usr/bin/env bash
# Puts standard input, as a Mermaid block, between the lines "<!-- NAME: begin -->" and "<!-- NAME: end -->" of FILE.
set -euo pipefail
name=$1
file=$2
block=$(cat)
awk -v name="$name" -v block="$block" '
    $0 == "<!-- " name ": end -->" { inside = 0 }
    !inside { print }
    $0 == "<!-- " name ": begin -->" { inside = 1; print "```mermaid\n" block "\n```" }
' "$file" > "$file.new"
mv "$file.new" "$file"
