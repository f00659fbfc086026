#include "utf8.h"

int32_t utf8_next(const char **text) {
    const unsigned char *at = (const unsigned char *)*text;
    int more = *at < 0x80 ? 0 : *at >= 0xf0 ? 3 : *at >= 0xe0 ? 2 : 1, i;
    static const int32_t least[] = {0, 0x80, 0x800, 0x10000};
    int32_t code = more ? *at & (0x3f >> more) : *at;

    (*text)++;
    if (more && (*at < 0xc2 || *at > 0xf4))
        return -1;
    for (i = 1; i <= more; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return -1;
        code = code << 6 | (at[i] & 0x3f);
    }
    if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return -1;
    *text += more;
    return code;
}
