/* The page of `make live` in Chromium, which draws it without a GPU and is asked by its DevTools.
 */
#include "testing.h"
#include "viewer.h"

#include "browser.h"

static struct viewer tools; /* the connection to them */
static pid_t chromium;

/* Sends a command and returns the message with its result. */
static const char *command(const char *method, const char *parameters) {
    static int id;
    char text[1900], begin[32];
    unsigned char *message;
    size_t size;

    snprintf(text, sizeof text, "{\"id\":%d,\"method\":\"%s\",\"params\":{%s}}", ++id, method,
             parameters);
    snprintf(begin, sizeof begin, "{\"id\":%d,", id);
    send_order(&tools, text);
    do
        next_message(&tools, &message, &size);
    while (strncmp((const char *)message, begin, strlen(begin)));
    return (const char *)message;
}

/* What an expression without " is worth, as text without quotes. */
static const char *worth(const char *expression) {
    static char value[512];
    char parameters[1800];
    const char *result, *at;

    snprintf(parameters, sizeof parameters, "\"returnByValue\":true,\"expression\":\"%s\"",
             expression);
    result = command("Runtime.evaluate", parameters);
    at = strstr(result, "\"value\":");
    if (!at || strstr(result, "exceptionDetails"))
        fail_msg("%s: %s", expression, result);
    at += strlen("\"value\":");
    at += *at == '"';
    snprintf(value, sizeof value, "%.*s", (int)strcspn(at, "\"}"), at);
    return value;
}

/* Waits until an expression is true. */
static void wait_for(const char *expression) {
    for (int k = 0; k < 20 * PATIENCE; k++) {
        if (!strcmp(worth(expression), "true"))
            return;
        usleep(50000);
    }
    fail_msg("%s does not come true", expression);
}

/* How many pixels are bright, and a sum over all of them that tells pictures apart. */
static double picture(double *bright) {
    double sum;
    const char *text = worth(
        "(() => { draw(); const w = canvas.width, h = canvas.height; "
        "const p = new Uint8Array(4 * w * h); let bright = 0, sum = 0; "
        "gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p); "
        "for (let i = 0; i < p.length; i += 4) { const light = p[i] + 2 * p[i + 1] + 3 * p[i + 2]; "
        "bright += light > 200; sum = (sum * 31 + light) % 1000003; } "
        "return bright + ' ' + sum; })()");

    assert_int_equal(sscanf(text, "%lf %lf", bright, &sum), 2);
    return sum;
}

static void press(const char *key) {
    char parameters[128];

    snprintf(parameters, sizeof parameters, "\"type\":\"keyDown\",\"key\":\"%s\",\"text\":\"%s\"",
             key, key);
    command("Input.dispatchKeyEvent", parameters);
}

static void mouse(const char *type, int x, int y, const char *more) {
    char parameters[160];

    snprintf(parameters, sizeof parameters, "\"type\":\"%s\",\"x\":%d,\"y\":%d,%s", type, x, y,
             more);
    command("Input.dispatchMouseEvent", parameters);
}

/* The port of the browser's tools, and the path of those of its page, once there are some. */
static int find_tools(char path[256]) {
    static const char before[] = "DevTools listening on ws://127.0.0.1:";
    char answer[4096];

    for (int k = 0; k < 20 * PATIENCE; k++, usleep(50000)) {
        char *log = read_file("build/chromium.err", NULL), *at = log ? strstr(log, before) : NULL;
        int port = at ? atoi(at + strlen(before)) : 0,
            fd = port ? try_connect("127.0.0.1", port) : -1;
        size_t got;
        ssize_t count = 1;

        free(log);
        if (fd < 0 || request(fd, "/json/list", "", answer) != 200)
            continue;
        for (got = strlen(answer); got < sizeof answer - 1 && count > 0; got += (size_t)count) {
            answer[got] = 0;
            at = strstr(answer, "/devtools/page/");
            if (at && strchr(at, ',') && sscanf(at, "%255[^\" &]", path) == 1)
                return close(fd), port;
            count = read(fd, answer + got, sizeof answer - 1 - got);
        }
        close(fd);
    }
    fail_msg("no tools of the browser");
    return 0;
}

static struct served open_page(void) {
    struct served served = serve("--n 300");
    char start[512], path[256];
    int port;

    snprintf(start, sizeof start,
             "exec %s --headless --no-sandbox --disable-dev-shm-usage --use-angle=swiftshader "
             "--enable-unsafe-swiftshader --enable-logging=stderr --remote-debugging-port=0 "
             "--user-data-dir=build/profile --window-size=480,360 'http://127.0.0.1:%d/?%s'",
             browser(), served.port, served.token);
    chromium = start_command(start, "chromium");
    port = find_tools(path);
    come_to(&tools, port, path);
    wait_for("document.readyState == 'complete' && typeof head == 'object' && head !== null");
    return served;
}

/* The browser had nothing to complain of, up to now. */
static void assert_no_complaint(void) {
    char *log = read_file("build/chromium.err", NULL);

    if (strstr(log, "CONSOLE"))
        fail_msg("%s", strstr(log, "CONSOLE"));
    free(log);
}

static void close_page(void) {
    command("Browser.close", "");
    end_command(chromium, "chromium");
    chromium = 0;
    go(&tools);
}

/* Mutants: dots are not drawn, or the same ones for ever; a key, a button or a field without an
 * effect; a view that cannot be turned; a page that loads something. */
TEST(the_page_moves_and_obeys) {
    double bright, paused, moved;
    struct served served;

    if (!browser())
        skip();
    served = open_page();
    wait_for("head.dots == 300 && document.getElementById('drawn').textContent == '300 bodies'");
    paused = picture(&bright);
    if (bright < 100)
        fail_msg("%g pixels are bright", bright);
    wait_for("+said.iterations > 3 && head.time > 0");
    assert_true(picture(&bright) != paused);
    press(" ");
    wait_for("said.paused == '1' && Math.abs(head.time - said.time) < 1e-6 && !stale");
    paused = picture(&bright);
    usleep(200000);
    assert_true(picture(&bright) == paused);
    worth("window.before = +said.iterations");
    worth("document.getElementById('single').click(), 1");
    wait_for("+said.iterations == before + 1 && Math.abs(head.time - said.time) < 1e-6 && !stale");
    assert_true((moved = picture(&bright)) != paused);
    press("c");
    assert_true(picture(&bright) != moved);
    assert_string_equal(worth("document.getElementById('colour').value"), "1");
    worth("window.before = camera.yaw");
    mouse("mousePressed", 150, 120, "\"button\":\"left\",\"clickCount\":1");
    mouse("mouseMoved", 190, 120, "\"button\":\"left\"");
    mouse("mouseReleased", 190, 120, "\"button\":\"left\",\"clickCount\":1");
    wait_for("Math.abs(camera.yaw - before - 0.24) < 1e-6");
    worth("window.before = camera.distance");
    mouse("mouseWheel", 150, 120, "\"deltaX\":0,\"deltaY\":-200");
    wait_for("camera.distance < 0.9 * before");
    for (int k = 0; k < 3; k++) {
        static const char *const orders[][3] = {
            {"n", "200", "said.n == '200' && head.dots == 200"},
            {"dt", "0.02", "said.dt == '0.02'"},
            {"softening", "2", "document.getElementById('complaint').textContent != ''"}};
        char text[256];

        snprintf(text, sizeof text, "change('%s', '%s'), 1", orders[k][0], orders[k][1]);
        worth(text);
        wait_for(orders[k][2]);
    }
    wait_for("document.getElementById('rate').textContent.includes('interactions per second')");
    wait_for("document.getElementById('energy').textContent.includes('drift')");
    wait_for("performance.getEntriesByType('resource').length == 0");
    assert_string_equal(worth("document.getElementById('banner').textContent"), "");
    assert_no_complaint();
    assert_code(end_serving(&served), 0);
    wait_for("document.getElementById('banner').textContent.startsWith('The server has ended')");
    close_page();
}

static int leave_browser(void **state) {
    if (chromium)
        kill(chromium, SIGKILL);
    return stop_serving(state);
}

GROUP(enter_tree, leave_browser)
