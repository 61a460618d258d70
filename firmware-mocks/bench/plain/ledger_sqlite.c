/*
 * What a sale's four commits cost in C over SQLite: the statements, the values, the settings and the file of the ledger,
 * with nothing between this program and the library.
 *
 *     ledger_sqlite FILE COUNT [thread]
 *
 * FILE is an empty ledger, or one that this program has used before. With "thread" every commit is handed to a second
 * thread and waited for, as the ledger does with changes that arrive while another one is under way. Prints the median and the 99th
 * percentile in nanoseconds for one sale.
 */
#include <pthread.h>
#include <semaphore.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COMMITS = 4, WARM_SALES = 100, LONGEST_LOG = 1000 };

/* In the order in which ledgerbench's BenchSale comes by them. */
enum statement {
    NORMAL, FULL, BEGIN, COMMIT, REPEATED, INSERT, JOURNAL, STATE, CARD, ANSWER, OUTCOME, STATEMENTS
};

static const char *const text[STATEMENTS] = {
    [NORMAL] = "PRAGMA synchronous = NORMAL",
    [FULL] = "PRAGMA synchronous = FULL",
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [REPEATED] =
        "SELECT id, kind, state, outcome, created_at, updated_at, approved_at, amount, tip, currency, identifier, "
        "reference, email, phone, msi, original_id, attempt_id, reader, response_code, authorisation, last_four, "
        "card_brand, arqc, aid, app_label, cardholder_name, bank, account_type, status_code, status_info, batch, "
        "receipt, owner, identifier_scope, request_digest, approved_amount, host_reference, entry_mode, resolve_at, "
        "resolve_tries, offline FROM transactions "
        "WHERE identifier_scope = ? AND identifier = ? AND request_digest IS NOT NULL",
    [INSERT] =
        "INSERT INTO transactions (id, kind, state, created_at, updated_at, amount, tip, currency, identifier, "
        "reference, email, phone, msi, original_id, attempt_id, reader, owner, identifier_scope, request_digest, "
        "resolve_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [JOURNAL] = "INSERT INTO journal (transaction_id, at, from_state, to_state, detail) VALUES (?, ?, ?, ?, ?)",
    [STATE] = "SELECT state FROM transactions WHERE id = ?",
    [CARD] =
        "UPDATE transactions SET state = ?, updated_at = ?, attempt_id = ?, last_four = ?, card_brand = ?, arqc = ?, "
        "aid = ?, app_label = ?, cardholder_name = ?, entry_mode = ? WHERE id = ?",
    [ANSWER] =
        "UPDATE transactions SET updated_at = ?, response_code = ?, authorisation = ?, bank = ?, account_type = ?, "
        "approved_amount = ?, host_reference = ? WHERE id = ?",
    [OUTCOME] =
        "UPDATE transactions SET state = ?, outcome = ?, updated_at = ?, approved_at = ?, receipt = ?, "
        "resolve_at = ? WHERE id = ?",
};

static const char digest[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
static const char receipt[] =
    "{\"kind\":\"sale\",\"approved\":true,\"amount\":\"100.00\",\"tip\":\"15.00\",\"currency\":\"MXN\","
    "\"time\":\"2025-07-10 12:00:00\",\"reference\":\"table 7\",\"card\":\"0119\",\"brand\":\"VISA\","
    "\"authorization\":\"123456\",\"response\":\"00\",\"aid\":\"A0000000031010\",\"label\":\"VISA CREDITO\","
    "\"arqc\":\"0123456789ABCDEF\",\"tvr\":\"0000008000\",\"tsi\":\"E800\"}";
static const sqlite3_int64 start_time = 1752163200000;

static sqlite3 *ledger;
static sqlite3_stmt *statements[STATEMENTS];
static int log_pages;
static char id[64], identifier[80];

static void fail(void) {
    fprintf(stderr, "ledger_sqlite: %s\n", ledger ? sqlite3_errmsg(ledger) : "not opened");
    exit(1);
}

static int log_grew(void *context, sqlite3 *connection, const char *name, int pages) {
    (void)context, (void)connection, (void)name;
    log_pages = pages;
    return SQLITE_OK;
}

/* One value for each letter of `kinds`: "t" a text, which may be NULL, "i" an integer, "n" NULL. */
static sqlite3_stmt *bound(enum statement which, const char *kinds, ...) {
    sqlite3_stmt *statement = statements[which];
    va_list values;
    va_start(values, kinds);
    for (int place = 1; kinds[place - 1]; place++) {
        int result = SQLITE_OK;
        if (kinds[place - 1] == 't')
            result = sqlite3_bind_text(statement, place, va_arg(values, const char *), -1, SQLITE_STATIC);
        else if (kinds[place - 1] == 'i')
            result = sqlite3_bind_int64(statement, place, va_arg(values, sqlite3_int64));
        else
            result = sqlite3_bind_null(statement, place);
        if (result != SQLITE_OK) fail();
    }
    va_end(values);
    return statement;
}

static void run(sqlite3_stmt *statement) {
    int result = sqlite3_step(statement);
    if (result != SQLITE_DONE || sqlite3_reset(statement) != SQLITE_OK) fail();
}

static void expect_nothing(sqlite3_stmt *statement) { run(statement); }

static void expect_state(const char *state) {
    sqlite3_stmt *statement = bound(STATE, "t", id);
    if (sqlite3_step(statement) != SQLITE_ROW) fail();
    const char *found = (const char *)sqlite3_column_text(statement, 0);
    if (!found || strcmp(found, state) != 0 || sqlite3_step(statement) != SQLITE_DONE) fail();
    sqlite3_reset(statement);
}

static void journal(sqlite3_int64 at, const char *from, const char *to, const char *detail) {
    run(bound(JOURNAL, "tittt", id, at, from, to, detail));
}

static void commit(int number) {
    int moved = 0;
    run(statements[number % 2 == 0 ? NORMAL : FULL]);
    run(statements[BEGIN]);
    if (sqlite3_file_control(ledger, "main", SQLITE_FCNTL_HAS_MOVED, &moved) != SQLITE_OK || moved) fail();
    switch (number) {
    case 0:
        expect_nothing(bound(REPEATED, "tt", "", identifier));
        run(bound(INSERT, "tttiiiiittnninnttttn", id, "sale", "readerArmed", start_time, start_time,
            (sqlite3_int64)10000, (sqlite3_int64)1500, (sqlite3_int64)484, identifier, "table 7", (sqlite3_int64)0,
            "ccid", "bench", "", digest));
        journal(start_time, NULL, "created", NULL);
        journal(start_time, "created", "readerArmed", NULL);
        break;
    case 1:
        expect_state("readerArmed");
        journal(start_time - 900, "readerArmed", "cardPresented", NULL);
        journal(start_time, "cardPresented", "authorizing", NULL);
        run(bound(CARD, "tittttttttt", "authorizing", start_time, id, "0119", "VISA", "0123456789ABCDEF",
            "A0000000031010", "VISA CREDITO", "DOE/JOHN", "chip", id));
        break;
    case 2:
        expect_state("authorizing");
        journal(start_time, "authorizing", "authorizing", "host 00");
        run(bound(ANSWER, "ittttitt", start_time, "00", "123456", "Banco", "credit", (sqlite3_int64)11500,
            "000123456789", id));
        break;
    default:
        expect_state("authorizing");
        journal(start_time, "authorizing", "approved", NULL);
        run(bound(OUTCOME, "ttiitnt", "approved", "approved", start_time, start_time, receipt, id));
    }
    run(statements[COMMIT]);
}

/* What the ledger does when the caller has its answer: the next commit waits for it. */
static void shorten_log(void) {
    if (log_pages < LONGEST_LOG) return;
    log_pages = 0;
    sqlite3_wal_checkpoint_v2(ledger, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

static sem_t asked, answered;
static int wanted;

static void *serve(void *context) {
    for (;;) {
        while (sem_wait(&asked) != 0) continue;
        if (wanted < 0) return context;
        commit(wanted);
        sem_post(&answered);
        shorten_log();
    }
}

static void sale(int threaded) {
    for (int number = 0; number < COMMITS; number++) {
        if (threaded) {
            wanted = number;
            sem_post(&asked);
            while (sem_wait(&answered) != 0) continue;
        } else {
            commit(number);
            shorten_log();
        }
    }
}

static void open_ledger(const char *file) {
    static const char *const settings[] = {
        "PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA foreign_keys = ON",
        "PRAGMA secure_delete = ON", "PRAGMA journal_mode = WAL",
    };
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (sqlite3_open_v2(file, &ledger, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) fail();
    sqlite3_busy_timeout(ledger, 5000);
    for (size_t index = 0; index < sizeof settings / sizeof *settings; index++)
        if (sqlite3_exec(ledger, settings[index], NULL, NULL, NULL) != SQLITE_OK) fail();
    sqlite3_wal_hook(ledger, log_grew, NULL);
    for (int index = 0; index < STATEMENTS; index++)
        if (sqlite3_prepare_v3(ledger, text[index], -1, SQLITE_PREPARE_PERSISTENT, &statements[index], NULL)
            != SQLITE_OK) fail();
}

static int known_transactions(void) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(ledger, "SELECT count(*) FROM transactions", -1, &statement, NULL) != SQLITE_OK) fail();
    if (sqlite3_step(statement) != SQLITE_ROW) fail();
    int count = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return count;
}

static void name(int known, const char *kind, int number) {
    snprintf(id, sizeof id, "s%d-%s%d", known, kind, number);
    snprintf(identifier, sizeof identifier, "order %s", id);
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int ascending(const void *left, const void *right) {
    long long a = *(const long long *)left, b = *(const long long *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv) {
    int count = argc > 2 ? atoi(argv[2]) : 0, threaded = argc > 3;
    if (argc < 3 || argc > 4 || count < 1 || (threaded && strcmp(argv[3], "thread") != 0)) return 2;
    long long *times = calloc(count, sizeof *times);
    if (!times) return 1;
    open_ledger(argv[1]);
    int known = known_transactions();
    pthread_t thread;
    sem_init(&asked, 0, 0);
    sem_init(&answered, 0, 0);
    if (threaded && pthread_create(&thread, NULL, serve, NULL) != 0) return 1;
    for (int number = 0; number < WARM_SALES; number++) {
        name(known, "warm-", number);
        sale(threaded);
    }
    for (int number = 0; number < count; number++) {
        name(known, "", number);
        long long start = now();
        sale(threaded);
        times[number] = now() - start;
    }
    if (threaded) {
        wanted = -1;
        sem_post(&asked);
        pthread_join(thread, NULL);
    }
    for (int index = 0; index < STATEMENTS; index++) sqlite3_finalize(statements[index]);
    if (sqlite3_close(ledger) != SQLITE_OK) return 1;
    qsort(times, count, sizeof *times, ascending);
    printf("%lld %lld\n", times[count / 2], times[(long long)count * 99 / 100]);
    return 0;
}
