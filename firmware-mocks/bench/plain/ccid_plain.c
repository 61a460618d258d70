/* The floor for the driver: a plain C program that does the same two bulk transfers an APDU costs, and nothing else.
   usage: ccid_plain COUNT; prints nanoseconds per exchange. */
#include <libusb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int exchange(libusb_device_handle *h, unsigned char type, unsigned char seq, const unsigned char *data, int size) {
    unsigned char out[300] = {type, (unsigned char)size, 0, 0, 0, 0, seq, 0, 0, 0}, in[300];
    int done = 0;
    memcpy(out + 10, data, (size_t)size);
    if (libusb_bulk_transfer(h, 0x02, out, 10 + size, &done, 5000) != 0) return -1;
    if (libusb_bulk_transfer(h, 0x82, in, 271, &done, 5000) != 0) return -1;
    return done >= 10 && in[6] == seq && (in[7] & 0xC0) == 0 ? done : -1;
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 1000;
    libusb_context *context;
    if (libusb_init(&context) != 0) return 1;
    libusb_device_handle *h = libusb_open_device_with_vid_pid(context, 0x08E6, 0x3437);
    if (h == NULL || libusb_claim_interface(h, 0) != 0) return 2;
    if (exchange(h, 0x62, 0, NULL, 0) < 0) return 3;
    const unsigned char getData[] = {0x80, 0xCA, 0x9F, 0x36, 0x00};
    for (int i = 0; i < 50; i++)
        if (exchange(h, 0x6F, (unsigned char)i, getData, sizeof getData) < 0) return 4;
    double start = now();
    for (int i = 0; i < count; i++)
        if (exchange(h, 0x6F, (unsigned char)i, getData, sizeof getData) < 0) return 5;
    printf("%.0f\n", (now() - start) / count);
    libusb_release_interface(h, 0);
    libusb_close(h);
    libusb_exit(context);
    return 0;
}
