"""Fills a ledger with rows, in bulk: python3 bench-ledger-rows.py DIRECTORY ROWS

The file must exist (ledgerbench makes it); rows that are there already are kept. Each transaction is an approved sale with
three lines of the journal. The names are those of firmware-mocks/ledgerbench/BenchRow.swift.
"""
import os
import shutil
import sqlite3
import sys

directory, rows = sys.argv[1], int(sys.argv[2])
file = os.path.join(directory, "ledger.sqlite")
bytes_per_row = 2_600  # the rows, their indexes, and the files that sorting an index needs for a while
os.environ["SQLITE_TMPDIR"] = directory
with sqlite3.connect(file, isolation_level=None) as ledger:
    first = ledger.execute("SELECT count(*) FROM transactions").fetchone()[0] + 1
    needed = (rows - first + 1) * bytes_per_row
    free = shutil.disk_usage(directory).free
    if free < needed + (4 << 30):
        sys.exit(f"{free >> 20} MB are free, and {needed >> 20} MB and a reserve of 4 GB are needed")
    for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -262144", "foreign_keys = OFF"):
        ledger.execute("PRAGMA " + pragma).fetchall()
    indexes = ledger.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid").fetchall()
    for name, _ in indexes:
        ledger.execute(f"DROP INDEX {name}")
    ledger.execute("BEGIN")
    ledger.execute(
        """
        WITH RECURSIVE numbers (n) AS (SELECT ? UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
        INSERT INTO transactions (id, kind, state, outcome, created_at, updated_at, approved_at, amount, tip, currency,
            identifier, msi, attempt_id, reader, response_code, authorisation, last_four, card_brand, arqc, aid,
            app_label, status_info, receipt, request_digest, approved_amount, entry_mode)
        SELECT printf('t%010d', n), 'sale', 'approved', 'approved', 1752163200000 + n * 1000, 1752163205000 + n * 1000,
            1752163205000 + n * 1000, 100 + n % 100000, 0, 484,
            printf('order-%010d', n * 2654435761 % 4294967296), 0, printf('a%010d', n), 'ccid', '00',
            printf('%06d', n % 1000000), printf('%04d', n % 10000), 'VISA', '0123456789ABCDEF', 'A0000000031010',
            'VISA CREDITO', 'Aprobada', '{"kind":"sale","card":"VISA","approved":true,"text":"a receipt of its size"}',
            printf('%064x', n), 100 + n % 100000, 'chip'
        FROM numbers
        """, (first, rows))
    ledger.execute(
        """
        WITH RECURSIVE numbers (n) AS (SELECT ? UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
        INSERT INTO journal (transaction_id, at, from_state, to_state)
        SELECT printf('t%010d', n), 1752163200000 + n * 1000, step.column1, step.column2
        FROM numbers, (VALUES (NULL, 'created'), ('created', 'authorizing'), ('authorizing', 'approved')) AS step
        """, (first, rows))
    ledger.execute("COMMIT")
    for _, sql in indexes:
        ledger.execute(sql)
    ledger.execute("PRAGMA journal_mode = WAL").fetchall()
    print(f"{rows} transactions, {os.path.getsize(file) >> 20} MB")
ledger.close()
