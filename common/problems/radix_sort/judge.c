/* Whether an array is sorted, and what it is if it is not. */
#include "sort_problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 12 }; /* of a key and its value */

/* One output beside the right one, of n elements. */
struct outputs {
    const struct radix_sort_parameters *parameters;
    const void *input, *right, *got;
    int sorts;
};

/* A key in words: unsigned ones in hexadecimal, where each two digits are one of 8 bits. */
static const char *text_of(const struct radix_sort_parameters *parameters, uint64_t bits,
                           char text[40]) {
    uint32_t low = (uint32_t)bits;
    double wide;
    float narrow;

    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    if (parameters->key_kind == FLOAT_KEYS)
        snprintf(text, 40, "%.9g (0x%0*llx)", parameters->key_bytes == 8 ? wide : narrow,
                 2 * parameters->key_bytes, (unsigned long long)bits);
    else if (parameters->key_kind == SIGNED_KEYS)
        snprintf(text, 40, "%lld", parameters->key_bytes == 8 ? (long long)bits : (int32_t)low);
    else
        snprintf(text, 40, "0x%0*llx", 2 * parameters->key_bytes, (unsigned long long)bits);
    return text;
}

/* The first place where the two differ; n if nowhere. */
static int first_difference(const struct radix_sort_parameters *parameters, const void *one,
                            const void *other, int values_too) {
    size_t of_one = (size_t)parameters->key_bytes + (values_too ? sizeof(unsigned) : 0);
    size_t bytes = (size_t)parameters->n * of_one, piece = 1 << 16;
    int differ = 0;

    /* Which is quick, and usual. */
#pragma omp parallel for reduction(| : differ) if (parameters->n >= WORTH_THREADS)
    for (size_t at = 0; at < bytes; at += piece)
        differ |= memcmp((const char *)one + at, (const char *)other + at,
                         bytes - at < piece ? bytes - at : piece) != 0;
    if (!differ)
        return parameters->n;
    for (int i = 0; i < parameters->n; i++)
        if (key_bits(parameters, one, i) != key_bits(parameters, other, i) ||
            (values_too && key_value(parameters, one, i) != key_value(parameters, other, i)))
            return i;
    return parameters->n;
}

/* The first place whose key has that pattern in each word and should not; n if there is none. */
static int first_poison(const struct outputs *outputs, uint32_t pattern) {
    const struct radix_sort_parameters *parameters = outputs->parameters;
    uint64_t bits = parameters->key_bytes == 8 ? (uint64_t)pattern << 32 | pattern : pattern;

    for (int i = 0; i < parameters->n; i++)
        if (key_bits(parameters, outputs->got, i) == bits &&
            key_bits(parameters, outputs->right, i) != bits)
            return i;
    return parameters->n;
}

/* The first place of the sorted array whose key is not below that; n if there is none. */
static int lower_bound(const struct radix_sort_parameters *parameters, const void *sorted,
                       uint64_t order) {
    int first = 0, end = parameters->n;

    while (first < end) {
        int middle = first + (end - first) / 2;

        if (key_order(parameters, key_bits(parameters, sorted, middle)) < order)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static int times(const struct radix_sort_parameters *parameters, const void *sorted,
                 uint64_t bits) {
    int first = lower_bound(parameters, sorted, key_order(parameters, bits)), i = first;

    while (i < parameters->n && key_bits(parameters, sorted, i) == bits)
        i++;
    return i - first;
}

/* How many of the lowest bits of the keys, or of the highest ones, are in order; by eights. */
static int bits_in_order(const struct outputs *outputs, int highest) {
    const struct radix_sort_parameters *parameters = outputs->parameters;
    int all = 8 * parameters->key_bytes, bits = all, i = 1;

    while (bits > 0 && i < parameters->n) {
        uint64_t mask = (UINT64_C(1) << (bits - 1) << 1) - 1;
        uint64_t before = key_order(parameters, key_bits(parameters, outputs->got, i - 1));
        uint64_t here = key_order(parameters, key_bits(parameters, outputs->got, i));
        int is_ordered = highest ? before >> (all - bits) <= here >> (all - bits)
                                 : (before & mask) <= (here & mask);

        if (is_ordered)
            i++;
        else
            bits -= 8; /* fewer are no less in order before i */
    }
    return bits;
}

/* Why keys that are those of the input are not in order, in words behind "...: "; else nothing. */
static void diagnose_order(const struct outputs *outputs, char *text, size_t size) {
    const struct radix_sort_parameters *parameters = outputs->parameters;
    struct radix_sort_parameters as_unsigned = *parameters;
    struct outputs unsigned_outputs = *outputs;
    int lowest = bits_in_order(outputs, 0), highest = bits_in_order(outputs, 1);
    int all = 8 * parameters->key_bytes;

    as_unsigned.key_kind = UNSIGNED_KEYS;
    unsigned_outputs.parameters = &as_unsigned;
    if (parameters->key_kind != UNSIGNED_KEYS && bits_in_order(&unsigned_outputs, 0) == all)
        snprintf(text, size,
                 ": they are in the order of unsigned keys; change the bits of %s so that they are "
                 "in the keys' order, and change them back in the end (radix_sort.h)",
                 parameters->key_kind == FLOAT_KEYS ? "floats" : "signed keys");
    else if (highest > 0 && highest < all)
        snprintf(text, size,
                 ": the highest %d bits are in order, the %d below are not: does each pass keep "
                 "the order of keys with equal digits?",
                 highest, all - highest);
    else if (highest == all)
        snprintf(text, size,
                 ": the result is in order; key 0 of its input should have been changed by the key "
                 "at place n / 2 = %d of the result before (radix_sort.h)",
                 parameters->n / 2);
    else if (lowest > 0)
        snprintf(text, size,
                 ": the lowest %d bits are in order, the %d above are not: is each pass made, and "
                 "the last one's result taken?",
                 lowest, all - lowest);
    else
        snprintf(text, size,
                 ": neither the highest 8 bits are in order nor the lowest: does a key go behind "
                 "all keys with lower digits, and behind those with its digit in earlier tiles?");
}

/* Keys are right, values are not: at i first. */
static void explain_values(const struct outputs *outputs, int i, char *message) {
    const struct radix_sort_parameters *parameters = outputs->parameters;
    unsigned got = key_value(parameters, outputs->got, i);
    unsigned right = key_value(parameters, outputs->right, i);
    uint64_t bits = key_bits(parameters, outputs->right, i);
    int first = lower_bound(parameters, outputs->right, key_order(parameters, bits)), j = first;
    char key[40];

    text_of(parameters, bits, key);
    while (j < parameters->n && key_bits(parameters, outputs->right, j) == bits &&
           key_value(parameters, outputs->right, j) != got)
        j++;
    if (j < parameters->n && key_bits(parameters, outputs->right, j) == bits)
        snprintf(message, 512,
                 "place %d: equal keys are out of their order: key %s has the value %u, which "
                 "belongs at place %d; here belongs %u, which came before it in the input: a "
                 "pass must keep the order of equal digits (be stable)",
                 i, key, got, j, right);
    else
        snprintf(message, 512,
                 "place %d: the value %u is not that of its key %s, which is %u: does a value go "
                 "wherever its key goes, in every pass?",
                 i, got, key, right);
}

/* The keys of the result that are not among those that should be there, and the other way round:
 * how many, and the first that is missing. */
struct strangers {
    int extra, missing;
    uint64_t first_missing;
};

static struct strangers strangers_of(const struct outputs *outputs, const void *sorted) {
    const struct radix_sort_parameters *parameters = outputs->parameters;
    struct strangers strangers = {0};
    int i = 0, j = 0, n = parameters->n;

    while (i < n || j < n) {
        uint64_t got = i < n ? key_bits(parameters, sorted, i) : 0;
        uint64_t right = j < n ? key_bits(parameters, outputs->right, j) : 0;
        uint64_t got_order = key_order(parameters, got), right_order = key_order(parameters, right);

        if (j == n || (i < n && got_order < right_order)) {
            strangers.extra++;
            i++;
        } else if (i == n || right_order < got_order) {
            if (!strangers.missing++)
                strangers.first_missing = right;
            j++;
        } else {
            i++;
            j++;
        }
    }
    return strangers;
}

/* The same number for a key, for the key with its sign bit turned over and for those two with all
 * bits turned over. */
static uint64_t regardless_of_turns(const struct radix_sort_parameters *parameters, uint64_t bits) {
    uint64_t magnitudes = (UINT64_C(1) << (8 * parameters->key_bytes - 1)) - 1;
    uint64_t one = bits & magnitudes, other = ~bits & magnitudes;

    return one < other ? one : other;
}

/* Whether the result is the keys that should be there, some of them turned over. Key 0 may be
 * another, by what the sort before made of it. */
static int are_turned_over(const struct outputs *outputs) {
    const struct radix_sort_parameters *parameters = outputs->parameters;
    size_t n = (size_t)parameters->n;
    struct radix_sort_parameters own = {parameters->n, 8, UNSIGNED_KEYS, 0};
    uint64_t *right = malloc(4 * n * sizeof *right), *got, *sorted;
    int are = 0;

    if (!right)
        return 0;
    got = right + n;
    sorted = got + n;
    for (int i = 0; i < parameters->n; i++) {
        right[i] = regardless_of_turns(parameters, key_bits(parameters, outputs->right, i));
        got[i] = regardless_of_turns(parameters, key_bits(parameters, outputs->got, i));
    }
    if (!sort_fast(&own, right, sorted, 1) && !sort_fast(&own, got, sorted + n, 1)) {
        const struct outputs alike = {&own, NULL, sorted, NULL, 0};

        are = strangers_of(&alike, sorted + n).extra <= 1;
    }
    free(right);
    return are;
}

/* Whether the value of key 0 is in the result, and so key 0, whatever it is by now. */
static int has_value_0(const struct outputs *outputs) {
    const struct radix_sort_parameters *parameters = outputs->parameters;
    unsigned value = key_value(parameters, outputs->input, 0);

    for (int i = 0; i < parameters->n; i++)
        if (key_value(parameters, outputs->got, i) == value)
            return 1;
    return 0;
}

/* Key 0 of the last sort's input, as it should be. */
static uint64_t changed_key(const struct outputs *outputs) {
    const struct radix_sort_parameters *parameters = outputs->parameters;
    void *result = malloc((size_t)parameters->n * MOST_BYTES);
    uint64_t bits = key_bits(parameters, outputs->input, 0);

    for (int sorts = 1; result && sorts < outputs->sorts; sorts++)
        if (!sort_simply(parameters, outputs->input, result, sorts))
            bits += key_bits(parameters, result, parameters->n / 2);
    free(result);
    return parameters->key_bytes == 8 ? bits : (uint32_t)bits;
}

/* Says which key occurs another number of times than it should, and returns whether one does. If it
 * is only key 0, by what the sort before made of it, then that one was wrong in another way. */
static int explain_counts(const struct outputs *outputs, int wrong, char *message) {
    const struct radix_sort_parameters *parameters = outputs->parameters;
    struct radix_sort_parameters keys_alone = *parameters;
    void *sorted = malloc((size_t)parameters->n * MOST_BYTES);
    struct strangers strangers = {0};
    char got[40], right[40], key[40];

    keys_alone.has_values = 0;
    if (sorted && !sort_fast(&keys_alone, outputs->got, sorted, 1))
        strangers = strangers_of(outputs, sorted);
    if (strangers.extra == 1 && strangers.first_missing == changed_key(outputs) &&
        (!parameters->has_values || has_value_0(outputs)))
        strangers.extra = 0;
    if (strangers.extra && parameters->key_kind != UNSIGNED_KEYS && are_turned_over(outputs)) {
        snprintf(message, 512,
                 "place %d has key %s and should have %s: each key of the input is there, but some "
                 "have their sign bit or all bits turned over. To be sorted, %s; the last pass has "
                 "to turn exactly these bits back",
                 wrong, text_of(parameters, key_bits(parameters, outputs->got, wrong), got),
                 text_of(parameters, key_bits(parameters, outputs->right, wrong), right),
                 parameters->key_kind == FLOAT_KEYS
                     ? "all bits of a negative float are turned over, and the sign bit of others"
                     : "the sign bit of a signed key is turned over");
    } else if (strangers.extra) {
        uint64_t bits = strangers.first_missing;

        snprintf(message, 512,
                 "place %d has key %s and should have %s: key %s occurs %d times in the result and "
                 "%d times in the input; is each key moved once in every pass, those of the last "
                 "tile too, and no two to one place%s?",
                 wrong, text_of(parameters, key_bits(parameters, outputs->got, wrong), got),
                 text_of(parameters, key_bits(parameters, outputs->right, wrong), right),
                 text_of(parameters, bits, key), times(parameters, sorted, bits),
                 times(parameters, outputs->right, bits),
                 parameters->key_kind == UNSIGNED_KEYS ? ""
                                                       : ", and counted with the bits turned over "
                                                         "by which it is moved");
    }
    free(sorted);
    return strangers.extra > 0;
}

/* The sort before the last one whose result it is; 0: it is of none. */
static int result_of_sort(const struct outputs *outputs) {
    const struct radix_sort_parameters *parameters = outputs->parameters;
    void *result = malloc((size_t)parameters->n * MOST_BYTES);
    int sorts = 1, is_it = 0;

    for (; result && sorts < outputs->sorts; sorts++) {
        is_it = !sort_simply(parameters, outputs->input, result, sorts) &&
                first_difference(parameters, result, outputs->got, parameters->has_values) ==
                    parameters->n;
        if (is_it)
            break;
    }
    free(result);
    return is_it ? sorts : 0;
}

/* What is wrong at place `wrong`, the first. */
static void explain(const struct outputs *outputs, int wrong, char *message) {
    const struct radix_sort_parameters *parameters = outputs->parameters;
    uint64_t got = key_bits(parameters, outputs->got, wrong);
    uint64_t right = key_bits(parameters, outputs->right, wrong);
    int poison = first_poison(outputs, POISON_DEVICE), earlier = result_of_sort(outputs);
    char got_text[40], right_text[40], cause[256] = "";

    if (poison < parameters->n)
        snprintf(message, 512,
                 "place %d has what memory of the device holds before anything is written there: "
                 "is each key moved in every pass, those of the last tile too?",
                 poison);
    else if (earlier)
        snprintf(message, 512,
                 "it is the result of %s; before each later one key 0 of the input changes, by the "
                 "result of the last (radix_sort.h)",
                 earlier == 1 ? "the first sort" : "a sort before the last");
    else if (first_difference(parameters, outputs->got, outputs->right, 0) == parameters->n)
        explain_values(outputs, wrong, message);
    else if (!explain_counts(outputs, wrong, message)) {
        diagnose_order(outputs, cause, sizeof cause);
        snprintf(message, 512, "place %d has key %s and should have %s%s", wrong,
                 text_of(parameters, got, got_text), text_of(parameters, right, right_text), cause);
    }
}

/* The first place that the program did not write; its values count too. */
static int first_unwritten(const struct outputs *outputs) {
    const struct radix_sort_parameters *parameters = outputs->parameters;
    int first = first_poison(outputs, POISON);

    for (int i = 0; i < first && parameters->has_values; i++)
        if (key_value(parameters, outputs->got, i) == POISON &&
            key_value(parameters, outputs->right, i) != POISON)
            return i;
    return first;
}

void sort_judge(const void *parameters, const void *input, const void *answer, const void *output,
                const char *distribution, int iterations, double tolerance,
                struct judgement *judgement) {
    const struct radix_sort_parameters *own = parameters;
    const struct outputs outputs = {own, input, answer, output, iterations};
    int wrong, unwritten;

    (void)distribution, (void)tolerance;
    memset(judgement, 0, sizeof *judgement);
    if ((wrong = first_difference(own, answer, output, own->has_values)) == own->n)
        return;
    if ((unwritten = first_unwritten(&outputs)) < own->n) {
        judge_as(judgement, OUTCOME_UNWRITTEN,
                 "place %d of `out` was never written: does radix_sort_run copy all keys%s there?",
                 unwritten, own->has_values ? " and values" : "");
        return;
    }
    judgement->outcome = OUTCOME_WRONG;
    explain(&outputs, wrong, judgement->message);
}

void sort_judge_timed(const void *parameters, const void *input, const void *trusted,
                      const void *output, double tolerance, struct judgement *judgement) {
    const struct radix_sort_parameters *own = parameters;
    int wrong = first_difference(own, trusted, output, own->has_values);
    char got[40], right[40];

    (void)input, (void)tolerance;
    memset(judgement, 0, sizeof *judgement);
    if (wrong == own->n)
        return;
    judge_as(judgement, OUTCOME_TIMED_OUTPUT,
             "the timed run's place %d has key %s and should have %s%s; does the program do in "
             "every sort what it does in the first two?",
             wrong, text_of(own, key_bits(own, output, wrong), got),
             text_of(own, key_bits(own, trusted, wrong), right),
             key_bits(own, output, wrong) == key_bits(own, trusted, wrong) ? ", with another value"
                                                                           : "");
}
