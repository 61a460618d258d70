#pragma once
// Part of glibc that the toolchain's module of it leaves out.
#include <sys/inotify.h>
