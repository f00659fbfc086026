#include "outcome.h"

const char *outcome_word(enum outcome outcome) {
    switch (outcome) {
#define OUTCOME_WORD(code, name, word, sentence)                                                   \
    case OUTCOME_##name:                                                                           \
        return word;
        OUTCOMES(OUTCOME_WORD)
#undef OUTCOME_WORD
    }
    return "unknown";
}

const char *outcome_sentence(enum outcome outcome) {
    switch (outcome) {
#define OUTCOME_SENTENCE(code, name, word, sentence)                                               \
    case OUTCOME_##name:                                                                           \
        return sentence;
        OUTCOMES(OUTCOME_SENTENCE)
#undef OUTCOME_SENTENCE
    }
    return "unknown";
}
