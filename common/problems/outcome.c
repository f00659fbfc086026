#include "outcome.h"

#include <string.h>

const char *outcome_word(enum outcome outcome) {
    switch (outcome) {
#define OUTCOME_WORD(code, name, hints, word, sentence)                                            \
    case OUTCOME_##name:                                                                           \
        return word;
        OUTCOMES(OUTCOME_WORD)
#undef OUTCOME_WORD
    }
    return "unknown";
}

const char *outcome_sentence(enum outcome outcome) {
    switch (outcome) {
#define OUTCOME_SENTENCE(code, name, hints, word, sentence)                                        \
    case OUTCOME_##name:                                                                           \
        return sentence;
        OUTCOMES(OUTCOME_SENTENCE)
#undef OUTCOME_SENTENCE
    }
    return "unknown";
}

enum outcome outcome_of_word(const char *word, size_t length) {
    static const struct {
        enum outcome outcome;
        const char *word;
    } words[] = {
#define OUTCOME_PAIR(code, name, hints, word, sentence) {OUTCOME_##name, word},
        OUTCOMES(OUTCOME_PAIR)
#undef OUTCOME_PAIR
    };
    size_t i;

    for (i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == length && !memcmp(words[i].word, word, length))
            return words[i].outcome;
    return OUTCOME_ACCEPTED;
}
