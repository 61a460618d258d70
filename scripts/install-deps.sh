#!/usr/bin/env bash
# Installs the Debian packages that are missing. Does nothing when all are there.
#
# usage: install-deps.sh [build|demo|test]: what they are for; each includes the one before it (default test). pcscd is
# among those for tests only: on a kiosk it would hold the reader.
set -euo pipefail

packages=(libusb-1.0-0-dev libudev-dev libsqlite3-dev libssl-dev libcurl4-openssl-dev pkg-config)
case "${1:-test}" in
    build) ;;
    demo) packages+=(umockdev faketime) ;;
    test) packages+=(umockdev faketime pcscd libccid opensc usbutils python3 python3-venv socat valgrind
        desktop-file-utils udev) ;;
    *)
        echo "usage: install-deps.sh [build|demo|test]" >&2
        exit 2
        ;;
esac

fail() {
    echo "install-deps: $*" >&2
    exit 1
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    fail "this system has no apt-get. Install by its own means what these Debian packages hold: ${packages[*]}."
fi

# pkg-config may be there as pkgconf, and the like: a package that provides the name is enough.
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}, ${Provides},\n')
is_installed() {
    grep -Eq "^installed (.* )?${1//./\\.}( \\([^)]*\\))?," <<<"$installed"
}

missing=()
for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "run this as root, or install sudo. Missing: ${missing[*]}."
    as_root=(sudo)
fi

echo "Installing: ${missing[*]}"
apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@"
}
apt update || fail "apt-get update failed; see its message above."
apt install --yes --no-install-recommends "${missing[@]}" >/dev/null || fail "apt-get install failed; see its message above."
