#!/usr/bin/env bash
# Puts the Python packages that judge our code into an environment of the project's own. Does nothing when it is up to date.
set -euo pipefail
cd "$(dirname "$0")/.."
environment=.build/judges
wanted=Tests/Judges/requirements.txt
installed="$environment/requirements.txt"

if cmp -s "$wanted" "$installed" && "$environment/bin/python" -c '' 2>/dev/null; then exit 0; fi

fail() {
    rm -f "$installed"
    echo "judges: $* The tests that compare with these packages are skipped." >&2
    exit 1
}

echo "Installing the judges of the tests (Python packages) into $environment"
mkdir -p .build
python3 -m venv --clear "$environment" || fail "python3 cannot make an environment: install python3-venv."
"$environment/bin/pip" --quiet --disable-pip-version-check --retries 1 --timeout 20 install --requirement "$wanted" ||
    fail "the packages cannot be installed; without a network that is to be expected."
cp "$wanted" "$installed"
