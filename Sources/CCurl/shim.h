#pragma once
#include <curl/curl.h>
#include <dlfcn.h>

// libcurl is not linked but loaded, by the first program that asks a server: it and what it brings along are nearly
// thirty libraries, which every command would map otherwise. The types of the functions are those of its header.
typedef struct readerkit_curl {
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    __typeof__(curl_easy_perform) *easy_perform;
    __typeof__(curl_easy_strerror) *easy_strerror;
    __typeof__(curl_easy_setopt) *easy_setopt;
    __typeof__(curl_easy_getinfo) *easy_getinfo;
    __typeof__(curl_slist_append) *slist_append;
    __typeof__(curl_slist_free_all) *slist_free_all;
} readerkit_curl;

#define READERKIT_CURL_FIND(name) \
    if (!(curl->name = (__typeof__(curl->name))dlsym(library, "curl_" #name))) return "curl_" #name

/// Fills the table from a library that dlopen has loaded. Returns the name of a function that is missing, or NULL.
static inline const char *readerkit_curl_find(readerkit_curl *curl, void *library) {
    READERKIT_CURL_FIND(global_init);
    READERKIT_CURL_FIND(easy_init);
    READERKIT_CURL_FIND(easy_cleanup);
    READERKIT_CURL_FIND(easy_perform);
    READERKIT_CURL_FIND(easy_strerror);
    READERKIT_CURL_FIND(easy_setopt);
    READERKIT_CURL_FIND(easy_getinfo);
    READERKIT_CURL_FIND(slist_append);
    READERKIT_CURL_FIND(slist_free_all);
    return NULL;
}

#undef READERKIT_CURL_FIND

static inline CURLcode readerkit_curl_global_init(const readerkit_curl *curl) {
    return curl->global_init(CURL_GLOBAL_DEFAULT);
}

static inline CURL *readerkit_curl_init(const readerkit_curl *curl) { return curl->easy_init(); }

static inline void readerkit_curl_cleanup(const readerkit_curl *curl, CURL *handle) { curl->easy_cleanup(handle); }

static inline CURLcode readerkit_curl_perform(const readerkit_curl *curl, CURL *handle) {
    return curl->easy_perform(handle);
}

static inline const char *readerkit_curl_words(const readerkit_curl *curl, CURLcode code) {
    return curl->easy_strerror(code);
}

static inline struct curl_slist *readerkit_curl_append(
    const readerkit_curl *curl, struct curl_slist *list, const char *text) {
    return curl->slist_append(list, text);
}

static inline void readerkit_curl_free(const readerkit_curl *curl, struct curl_slist *list) {
    curl->slist_free_all(list);
}

// curl_easy_setopt and curl_easy_getinfo take variable arguments, which Swift cannot pass. One function for each type.

static inline CURLcode readerkit_curl_set_long(
    const readerkit_curl *curl, CURL *handle, CURLoption option, long value) {
    return curl->easy_setopt(handle, option, value);
}

static inline CURLcode readerkit_curl_set_text(
    const readerkit_curl *curl, CURL *handle, CURLoption option, const char *value) {
    return curl->easy_setopt(handle, option, value);
}

static inline CURLcode readerkit_curl_set_pointer(
    const readerkit_curl *curl, CURL *handle, CURLoption option, const void *value) {
    return curl->easy_setopt(handle, option, value);
}

static inline CURLcode readerkit_curl_set_list(
    const readerkit_curl *curl, CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl->easy_setopt(handle, option, value);
}

typedef size_t (*readerkit_curl_writer)(char *data, size_t size, size_t count, void *context);
typedef int (*readerkit_curl_observer)(
    void *context, curl_off_t down_total, curl_off_t down, curl_off_t up_total, curl_off_t up);

static inline CURLcode readerkit_curl_set_writer(
    const readerkit_curl *curl, CURL *handle, readerkit_curl_writer writer, void *context) {
    CURLcode code = curl->easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
    return code == CURLE_OK ? curl->easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}

static inline CURLcode readerkit_curl_set_observer(
    const readerkit_curl *curl, CURL *handle, readerkit_curl_observer observer, void *context) {
    CURLcode code = curl->easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, observer);
    if (code == CURLE_OK) code = curl->easy_setopt(handle, CURLOPT_XFERINFODATA, context);
    return code == CURLE_OK ? curl->easy_setopt(handle, CURLOPT_NOPROGRESS, 0L) : code;
}

static inline CURLcode readerkit_curl_response_code(const readerkit_curl *curl, CURL *handle, long *code) {
    return curl->easy_getinfo(handle, CURLINFO_RESPONSE_CODE, code);
}
