/* Reads back what an SVG drawn by gnuplot 5.4 shows: positions in pixels; each axis by its first
 * and its last labelled tic; marks, values beside them and limits inside the axes. For tests. */
#ifndef SVG_PICTURE_H
#define SVG_PICTURE_H

#include "testing.h"

static inline void need_gnuplot(void) {
    if (system("command -v gnuplot >/dev/null") != 0) {
        print_message("gnuplot is not installed: this test of pictures is skipped\n");
        skip();
    }
}

enum { MOST = 128 };

struct tic {
    double at, value;
};
struct place {
    double x, y;
    char text[32]; /* a label's; a mark's is the title of its series */
};
struct picture {
    double left, top, right, bottom;
    struct tic x[2], y[2];
    int x_tics, y_tics, marks, labels, limits;
    struct place mark[MOST], label[MOST], limit[MOST];
};

static int inside(const struct picture *picture, double x, double y) {
    return x >= picture->left && x <= picture->right && y >= picture->top && y <= picture->bottom;
}

static void add(const struct picture *picture, struct place *places, int *count, double x, double y,
                const char *text) {
    if (!inside(picture, x, y) || *count >= MOST)
        return;
    places[*count].x = x;
    places[*count].y = y;
    snprintf(places[*count].text, sizeof places[*count].text, "%s", text);
    ++*count;
}

static void add_tic(struct tic *tics, int *count, double at, double value) {
    tics[*count > 0].at = at;
    tics[*count > 0].value = value;
    ++*count;
}

/* The two axes are one line: down the left side, then along the bottom. */
static void read_axes(const char *svg, struct picture *picture) {
    double x, y, x2, y2, x3, y3;
    for (const char *p = svg; (p = strstr(p, "d='M")) && !picture->right; p++)
        if (sscanf(p, "d='M%lf,%lf L%lf,%lf L%lf,%lf M", &x, &y, &x2, &y2, &x3, &y3) == 6 &&
            x == x2 && y2 == y3) {
            picture->left = x;
            picture->top = y;
            picture->right = x3;
            picture->bottom = y2;
        }
}

static void read_tics(const char *svg, struct picture *picture) {
    double x, y, x2, y2, value;
    for (const char *p = svg; (p = strstr(p, "d='M")); p++)
        if (sscanf(p, "d='M%lf,%lf L%lf,%lf '/> <g %*[^>]> <text><tspan %*[^>]>%lf<", &x, &y, &x2,
                   &y2, &value) == 5) {
            if (y == y2)
                add_tic(picture->y, &picture->y_tics, y, value);
            else
                add_tic(picture->x, &picture->x_tics, x, value);
        }
}

static const char *title_before(const char *svg, const char *at) {
    static char title[32];
    for (const char *p = svg; (p = strstr(p, "<title>")) && p < at; p++)
        sscanf(p, "<title>%31[^<]", title);
    return title;
}

static inline void read_picture(const char *svg, struct picture *picture) {
    double x, y, x2, y2;
    char text[32];
    memset(picture, 0, sizeof *picture);
    read_axes(svg, picture);
    read_tics(svg, picture);
    for (const char *p = svg; (p = strstr(p, "<use xlink:href='#gpPt")); p++)
        if (sscanf(p, "<use xlink:href='#gpPt%*d' transform='translate(%lf,%lf)", &x, &y) == 2)
            add(picture, picture->mark, &picture->marks, x, y, title_before(svg, p));
    for (const char *p = svg; (p = strstr(p, "<g transform=\"translate(")); p++)
        if (sscanf(p, "<g transform=\"translate(%lf,%lf)%*[^>]> <text>%31[^<]", &x, &y, text) == 3)
            add(picture, picture->label, &picture->labels, x, y, text);
    for (const char *p = svg; (p = strstr(p, "<path stroke='rgb(153, 153, 153)'")); p++) {
        const char *end = strstr(p, "/>");
        for (const char *q = p; (q = strchr(q, 'M')) && q < end; q++)
            if (sscanf(q, "M%lf,%lf L%lf,%lf", &x, &y, &x2, &y2) == 4 && (x == x2 || y == y2))
                add(picture, picture->limit, &picture->limits, x, y, "");
    }
}

/* The value at a position on a logarithmic axis. */
static inline double value_at(const struct tic *tic, double at) {
    return tic[0].value *
           pow(tic[1].value / tic[0].value, (at - tic[0].at) / (tic[1].at - tic[0].at));
}

static inline int near(double a, double b) {
    return fabs(a - b) <= 0.02 * fabs(b);
}

#endif
