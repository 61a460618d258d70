# ReaderKit. `make demo` and `make test` need nothing but Debian 12 and the Swift toolchain: each installs what it misses.

# Warnings are errors, here and in CI alike.
SWIFT_FLAGS := -Xswiftc -warnings-as-errors
SOURCES := Package.swift Sources firmware-mocks Tests

.PHONY: help demo test test-shipped fuzz soak lint format generate install-deps build bench bench-bridge bench-ledger bench-readers clean

help:
	@echo "make demo          plug a mock reader into the real libusb, take a payment, refund it"
	@echo "make test          build and run every test"
	@echo "make test-shipped  the black-box tests of payments on the program as it is installed, with static Swift libraries"
	@echo "make fuzz          1,000,000 damaged records and messages, and 100,000 damaged dialogues (READERKIT_FUZZ_SEED chooses which)"
	@echo "make soak          kill the program 1,000 times under load, take 200,000 sales (READERKIT_SOAK_SEED chooses which)"
	@echo "make lint          check the format of the sources and that generated files are up to date"
	@echo "make build         build the release programs into .build/release"
	@echo "make bench         repeat the measurements of docs/performance.md"
	@echo "make bench-bridge  the same for readerctl bridge, against socat"
	@echo "make bench-ledger  the same for the ledger, up to ten million transactions (26 GB of free disk for a while)"
	@echo "make bench-readers the same for 1 to 32 readers in one process"
	@echo "make format        format the sources in place"
	@echo "make generate      make the udev rules and hardware database, the lists of readers and of errors, and the pictures of states"
	@echo "make install-deps  install the Debian packages that are missing"

install-deps:
	@scripts/install-deps.sh

build:
	@scripts/install-deps.sh build
	swift build -c release --product readerctl
	swift build -c release --product fwmockd

demo: build
	@scripts/install-deps.sh demo
	scripts/demo.sh .build/release

test: install-deps
	-@scripts/judges.sh
	swift build --build-tests $(SWIFT_FLAGS)
	scripts/test.sh $(SWIFT_FLAGS)

# The program as a kiosk gets it, with the Swift libraries linked in: what it does about money and clocks, black box.
test-shipped: install-deps
	swift build -c release -Xswiftc -static-stdlib --product readerctl --scratch-path .build/shipped
	swift build --build-tests $(SWIFT_FLAGS)
	READERKIT_SHIPPED="$$(swift build -c release -Xswiftc -static-stdlib --scratch-path .build/shipped --show-bin-path)" \
		swift test --skip-build $(SWIFT_FLAGS) \
		--filter '^BlackBoxTests\.(RefundTests|SimulatedSaleTests|RepetitionTests|ResolveTests|OpenTests|HostTests|HistoryTests|SettleTests|VoidTests|OfflineTests|PartialApprovalTests)'

# Release build with run-time checks: a trap ends the test. Seeds are printed.
fuzz: install-deps
	READERKIT_FUZZ_ROUNDS=1000000 READERKIT_FUZZ=100000 swift test -c release -Xswiftc -enable-testing $(SWIFT_FLAGS) \
		--filter 'HostileDocumentTests|^ISO8583Tests\.MutationTests|^EMVTests\.MutatedTranscriptTests'

# Both print their seed. The books of ledger and host are compared to the cent.
soak: install-deps
	READERKIT_SOAK_KILLS=1000 READERKIT_SOAK_SALES=200000 swift test -c release -Xswiftc -enable-testing \
		$(SWIFT_FLAGS) --filter 'SoakTests'

# Formatting rules are those of .swift-format. Generated files are compared by a test as well.
lint:
	swift format lint --strict --parallel --recursive $(SOURCES)
	scripts/check-sources.sh

format:
	swift format --in-place --parallel --recursive $(SOURCES)

generate:
	@scripts/install-deps.sh build
	swift build --product cataloguegen
	.build/debug/cataloguegen udev-rules > udev/60-readerkit.rules
	.build/debug/cataloguegen serial-chip-rules > udev/61-readerkit-usb-serial.rules
	.build/debug/cataloguegen hwdb > udev/60-readerkit.hwdb
	.build/debug/cataloguegen supported-readers > docs/supported-readers.md
	.build/debug/cataloguegen errors > docs/errors.md
	.build/debug/cataloguegen payment-states | scripts/put-between.sh states docs/payments.md
	.build/debug/cataloguegen reader-states | scripts/put-between.sh states docs/readers.md

bench: install-deps
	scripts/bench.sh 3000 7

bench-bridge: install-deps
	scripts/bench-bridge.sh

bench-ledger: install-deps
	scripts/bench-ledger.sh

bench-readers: install-deps
	scripts/bench-readers.sh

clean:
	rm -rf .build
