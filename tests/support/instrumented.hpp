#pragma once

// 1 when compiled with a sanitizer, which takes malloc for itself and makes loops several times
// slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNFURL_TEST_INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer) || __has_feature(leak_sanitizer)
#define UNFURL_TEST_INSTRUMENTED 1
#endif
#endif
#if !defined(UNFURL_TEST_INSTRUMENTED)
#define UNFURL_TEST_INSTRUMENTED 0
#endif
