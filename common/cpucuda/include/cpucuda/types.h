/* The vector types, char1 to double4, and dim3.
 *
 * A GPU copies a vector of 2, 4, 8 or 16 bytes by one instruction if its alignment is its size, a
 * larger one by 16 bytes at a time, and one of three members by three. The copies here do the same:
 * they go through one register, so that -fsanitize=thread, on which the trace rests, makes one call
 * for each. The compilers' own copies become one access a member, or a memcpy.
 *
 * Their default constructors do nothing, so that they can lie in shared memory and in unions. */
#ifndef CPUCUDA_TYPES_H
#define CPUCUDA_TYPES_H

#include <stddef.h>
#include <stdint.h>

#if defined __SANITIZE_THREAD__
#define CPUCUDA_COUNTS_ACCESSES 1
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
#define CPUCUDA_COUNTS_ACCESSES 1
#endif
#endif

namespace cpucuda {

/* A word that is copied by one instruction. */
template <size_t bytes> struct word;
template <> struct word<2> { typedef uint16_t type __attribute__((may_alias)); };
template <> struct word<4> { typedef uint32_t type __attribute__((may_alias)); };
template <> struct word<8> { typedef uint64_t type __attribute__((may_alias)); };
template <> struct word<16> { typedef double type __attribute__((vector_size(16), may_alias)); };

/* Compilers take a word apart where only members of the copy are used: where accesses are counted
 * it goes through a register that they cannot look into. */
template <class Word> __attribute__((always_inline)) inline Word whole(Word word) {
#if CPUCUDA_COUNTS_ACCESSES
    if (sizeof word < 16)
        __asm__("" : "+r"(word));
    else
#ifdef __x86_64__
        __asm__("" : "+x"(word));
#else
        __asm__("" : "+w"(word));
#endif
#endif
    return word;
}

template <class T> __attribute__((always_inline)) inline void copy_vector(T *to, const T *from) {
    typedef typename word<(sizeof(T) < 16 ? sizeof(T) : 16)>::type word_type;
    ((word_type *)to)[0] = whole(((const word_type *)from)[0]);
    if (sizeof(T) == 32)
        ((word_type *)to)[1] = whole(((const word_type *)from)[1]);
}

/* What `{1}` begins with but a plain 1 does not convert to: there is no vector from a number. */
template <class T> struct first {
    T value;
    constexpr first(T value) : value(value) {
    }
};

} // namespace cpucuda

#define CPUCUDA_COPIED_WHOLE(name)                                                                 \
    name() = default;                                                                              \
    __attribute__((always_inline)) name(const name &from) {                                        \
        cpucuda::copy_vector(this, &from);                                                         \
    }                                                                                              \
    __attribute__((always_inline)) name &operator=(const name &from) {                             \
        cpucuda::copy_vector(this, &from);                                                         \
        return *this;                                                                              \
    }

#define CPUCUDA_VECTOR1(name, T)                                                                   \
    struct name {                                                                                  \
        T x;                                                                                       \
    };                                                                                             \
    inline name make_##name(T x) {                                                                 \
        return name{x};                                                                            \
    }

#define CPUCUDA_VECTOR2(name, T)                                                                   \
    struct __attribute__((aligned(2 * sizeof(T)))) name {                                          \
        T x, y;                                                                                    \
        CPUCUDA_COPIED_WHOLE(name)                                                                 \
        constexpr name(cpucuda::first<T> x) : x(x.value), y() {                                    \
        }                                                                                          \
        constexpr name(T x, T y) : x(x), y(y) {                                                    \
        }                                                                                          \
    };                                                                                             \
    inline name make_##name(T x, T y) {                                                            \
        return name{x, y};                                                                         \
    }

#define CPUCUDA_VECTOR3(name, T)                                                                   \
    struct name {                                                                                  \
        T x, y, z;                                                                                 \
        name() = default;                                                                          \
        constexpr name(const name &from) : x(from.x), y(from.y), z(from.z) {                       \
        }                                                                                          \
        name &operator=(const name &from) {                                                        \
            x = from.x, y = from.y, z = from.z;                                                    \
            return *this;                                                                          \
        }                                                                                          \
        constexpr name(cpucuda::first<T> x) : x(x.value), y(), z() {                               \
        }                                                                                          \
        constexpr name(T x, T y, T z = 0) : x(x), y(y), z(z) {                                     \
        }                                                                                          \
    };                                                                                             \
    inline name make_##name(T x, T y, T z) {                                                       \
        return name{x, y, z};                                                                      \
    }

#define CPUCUDA_VECTOR4(name, T)                                                                   \
    struct __attribute__((aligned(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16))) name {                \
        T x, y, z, w;                                                                              \
        CPUCUDA_COPIED_WHOLE(name)                                                                 \
        constexpr name(cpucuda::first<T> x) : x(x.value), y(), z(), w() {                          \
        }                                                                                          \
        constexpr name(T x, T y, T z = 0, T w = 0) : x(x), y(y), z(z), w(w) {                      \
        }                                                                                          \
    };                                                                                             \
    inline name make_##name(T x, T y, T z, T w) {                                                  \
        return name{x, y, z, w};                                                                   \
    }

#define CPUCUDA_VECTORS(name, T)                                                                   \
    CPUCUDA_VECTOR1(name##1, T)                                                                    \
    CPUCUDA_VECTOR2(name##2, T)                                                                    \
    CPUCUDA_VECTOR3(name##3, T)                                                                    \
    CPUCUDA_VECTOR4(name##4, T)

CPUCUDA_VECTORS(char, signed char)
CPUCUDA_VECTORS(uchar, unsigned char)
CPUCUDA_VECTORS(short, short)
CPUCUDA_VECTORS(ushort, unsigned short)
CPUCUDA_VECTORS(int, int)
CPUCUDA_VECTORS(uint, unsigned)
CPUCUDA_VECTORS(long, long)
CPUCUDA_VECTORS(ulong, unsigned long)
CPUCUDA_VECTORS(longlong, long long)
CPUCUDA_VECTORS(ulonglong, unsigned long long)
CPUCUDA_VECTORS(float, float)
CPUCUDA_VECTORS(double, double)

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {
    }
    constexpr operator uint3() const {
        return uint3{x, y, z};
    }
};

#endif
