/* Reads back the panels of bars that bars.gp draws with gnuplot 5.4: every bar with the name on its
 * left, the label on its right, the title above it and its length by its panel's axis. For tests.
 */
#ifndef SVG_BARS_H
#define SVG_BARS_H

#include "testing.h"

enum { MOST_BARS = 64, MOST_TEXTS = 400, TEXT_BYTES = 96 };

struct svg_text {
    double x, y;
    char text[TEXT_BYTES];
};
struct svg_bar {
    char title[TEXT_BYTES], name[TEXT_BYTES], label[TEXT_BYTES];
    double value;
    int light;
    double left, right, middle; /* pixels */
};
struct svg_bars {
    int texts, bars;
    struct svg_text text[MOST_TEXTS];
    struct svg_bar bar[MOST_BARS];
};

static inline void read_texts(const char *svg, struct svg_bars *bars) {
    for (const char *p = svg; (p = strstr(p, "<g transform=\"translate(")); p++) {
        struct svg_text *text = &bars->text[bars->texts];
        const char *from = strstr(p, "<text"), *to = from ? strstr(from, "</text>") : NULL;
        if (!to || bars->texts == MOST_TEXTS ||
            sscanf(p, "<g transform=\"translate(%lf,%lf)", &text->x, &text->y) != 2)
            continue;
        from = strchr(from, '>') + 1;
        if (strncmp(from, "<tspan", 6) == 0) {
            from = strchr(from, '>') + 1;
            to = strchr(from, '<');
        }
        snprintf(text->text, TEXT_BYTES, "%.*s", (int)(to - from), from);
        bars->texts++;
    }
}

/* The value at a bar's end: the axis is the first zero below the bar and a tic right of it. */
static inline double length_by_axis(const struct svg_bars *bars, const struct svg_bar *bar) {
    const struct svg_text *zero = NULL, *tic = NULL;
    for (int i = 0; i < bars->texts; i++) {
        const struct svg_text *text = &bars->text[i];
        if (strcmp(text->text, " 0") == 0 && text->y > bar->middle && (!zero || text->y < zero->y))
            zero = text;
    }
    for (int i = 0; zero && i < bars->texts; i++)
        if (bars->text[i].y == zero->y && (!tic || bars->text[i].x > tic->x))
            tic = &bars->text[i];
    return tic && tic != zero ? atof(tic->text) * (bar->right - bar->left) / (tic->x - zero->x)
                              : NAN;
}

static inline void name_bar(const struct svg_bars *bars, struct svg_bar *bar) {
    double title_at = 0;
    for (int i = 0; i < bars->texts; i++) {
        const struct svg_text *text = &bars->text[i];
        int beside = fabs(text->y - 4 - bar->middle) < 2;
        if (beside && text->x < bar->left)
            strcpy(bar->name, text->text);
        if (beside && fabs(text->x - bar->right - 5.5) < 2)
            strcpy(bar->label, text->text);
        if (strncmp(text->text, "n = ", 4) == 0 && text->y < bar->middle && text->y > title_at) {
            strcpy(bar->title, text->text);
            title_at = text->y;
        }
    }
    bar->value = length_by_axis(bars, bar);
}

/* The bars from the top down. A dark one lies on its light one. */
static inline void read_bars(const char *svg, struct svg_bars *bars) {
    memset(bars, 0, sizeof *bars);
    read_texts(svg, bars);
    for (const char *p = svg; (p = strstr(p, "<polygon fill = 'rgb(")); p++) {
        double red, left, low, right, high;
        if (sscanf(p, "<polygon fill = 'rgb(%lf, %*f, %*f)' points = '%lf,%lf %lf,%*f %*f,%lf",
                   &red, &left, &low, &right, &high) != 5)
            continue;
        struct svg_bar *bar = bars->bar;
        while (bar < bars->bar + bars->bars && bar->middle != (low + high) / 2)
            bar++;
        if (bar == bars->bar + MOST_BARS)
            return;
        if (bar == bars->bar + bars->bars)
            bars->bars++;
        *bar = (struct svg_bar){
            .light = red > 100, .left = left, .right = right, .middle = (low + high) / 2};
        name_bar(bars, bar);
    }
}

#endif
