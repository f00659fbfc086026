/* `make live` without a browser: who gets in, what viewers see, and that nothing waits for them. */
#include "testing.h"
#include "viewer.h"

#include "stars.h"
#include "nbody.h"
#include "referee/play/process_tree.h"

static struct viewer one, other;

static int status_of(const struct served *served, const char *path, const char *more) {
    char answer[4096];
    int fd = try_connect("127.0.0.1", served->port), status;

    assert_true(fd >= 0);
    status = request(fd, path, more, answer);
    close(fd);
    return status;
}

/* Tokens that are almost right. Mutants: a token is not looked at, by the page or by the socket; a
 * beginning of it is enough, or one that goes on. */
TEST(nobody_gets_in_without_the_token) {
    struct served served = serve("--n 8");
    char right[96], wrong[4][128], answer[4096];
    int fd;

    snprintf(right, sizeof right, "/?%s", served.token);
    strcpy(wrong[0], "/");
    snprintf(wrong[1], sizeof wrong[1], "%sf", right);
    snprintf(wrong[2], sizeof wrong[2], "%.*s", (int)strlen(right) - 1, right);
    snprintf(wrong[3], sizeof wrong[3], "%s", right);
    wrong[3][strlen(right) - 1] = right[strlen(right) - 1] == '0' ? '1' : '0';
    assert_int_equal(strlen(served.token), 32);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(status_of(&served, wrong[k], ""), 403);
        assert_int_not_equal(status_of(&served, wrong[k], UPGRADE), 101);
    }
    fd = try_connect("127.0.0.1", served.port);
    assert_int_equal(request(fd, right, "", answer), 200);
    assert_says(answer, "default-src 'none'");
    close(fd);
    snprintf(wrong[0], sizeof wrong[0], "/other?%s", served.token);
    assert_int_equal(status_of(&served, wrong[0], ""), 404);
    /* 127.0.0.2 is this machine, too, as its other addresses are. */
    assert_true(try_connect("127.0.0.2", served.port) < 0);
    assert_code(end_serving(&served), 0);
    served = serve("--n 8 --address 0.0.0.0");
    fd = try_connect("127.0.0.2", served.port);
    assert_true(fd >= 0);
    assert_int_equal(request(fd, "/", "", answer), 403);
    close(fd);
    assert_code(end_serving(&served), 0);
}

static float place_of(const struct picture_head *head, int i, int axis) {
    const struct dot *dot = (const struct dot *)(head + 1) + i;

    return head->centre[axis] + head->half * ((float)dot->place[axis] / 32767.5f - 1);
}

/* Two viewers get the bodies with which the scene begins, to 16 bits, and then later ones. Mutants:
 * a coordinate's scale or order; a picture that is not a copy. */
TEST(viewers_see_the_bodies) {
    enum { N = 300 };
    static struct body bodies[N];
    struct served served = serve("--n %d", N);
    struct viewer *viewers[] = {&one, &other};
    double last = -1;

    problem_find("nbody")->generate(bodies, "shell", N, 1);
    come(&one, &served);
    send_order(&one, "pause 1");
    hear_until(&one, "paused", "1");
    send_order(&one, "again");
    hear_until(&one, "iterations", "0\n");
    come(&other, &served);
    for (int k = 0; k < 2; k++) {
        const struct picture_head *head;

        do
            head = look(viewers[k]);
        while (head->time > 0);
        assert_int_equal(head->dots, N);
        assert_int_equal(head->n, N);
        assert_int_equal(head->left_out, 0);
        for (int i = 0; i < N; i++) {
            const float *x = &bodies[i].x;

            for (int axis = 0; axis < AXES; axis++) {
                float at = place_of(head, i, axis);

                if (!(fabsf(at - x[axis]) <= head->half / 32767))
                    fail_msg("body %d, axis %d: %g, not %g", i, axis, at, x[axis]);
            }
        }
    }
    send_order(&other, "pause 0");
    for (int k = 0; k < 6; k++) {
        double time = look(viewers[k % 2])->time;

        assert_true(k < 2 || time > 0);
        assert_true(time >= last);
        last = k % 2 ? time : last;
    }
    go(&one), go(&other);
    assert_code(end_serving(&served), 0);
}

/* Waits for so many iterations more. */
static void see_move(struct viewer *viewer, double iterations) {
    double first = hear_number(viewer, "iterations"), now = first;

    for (int k = 0; k < 100 && now < first + iterations; k++)
        now = hear_number(viewer, "iterations");
    if (now < first + iterations)
        fail_msg("%g iterations, and no more", now - first);
}

/* CPU time of the server and the program in it, in a quarter of a second. */
static double busy_seconds(const struct served *served) {
    double before = cpu_seconds(served->pid);

    usleep(250000);
    return cpu_seconds(served->pid) - before;
}

/* A viewer asks for pictures and takes none, others vanish in the midst of one. Mutants: the
 * program goes on only when all viewers wait; a viewer who has gone stays in the list; nobody looks
 * and the program goes on. */
TEST(nothing_waits_for_a_viewer) {
    struct served served = serve("--n 2048");
    struct linger at_once = {.l_onoff = 1};
    double busy;

    come(&one, &served);
    send_order(&one, "unpaced 1");
    hear_until(&one, "unpaced", "1");
    come(&other, &served);
    for (int k = 0; k < 1000; k++) {
        send_order(&other, "more");
        usleep(200);
    }
    see_move(&one, 100);
    for (int k = 0; k < 3; k++) {
        setsockopt(other.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        go(&other);
        come(&other, &served);
        send_order(&other, "more");
        assert_true(read(other.fd, other.bytes, 10) > 0);
    }
    see_move(&one, 20);
    assert_true(look(&one)->time < look(&one)->time);
    go(&other);
    busy = busy_seconds(&served);
    go(&one);
    for (int k = 0; k < 4 * PATIENCE && busy_seconds(&served) > busy / 10; k++)
        ;
    if (busy_seconds(&served) > busy / 4)
        fail_msg("it does not rest while nobody looks");
    assert_code(end_serving(&served), 0);
}

/* How far bodies are in the first picture of that time or later from where they were before: the
 * mean over coordinates. */
static double moved(double time, float before[][AXES], int n) {
    const struct picture_head *head;
    double sum = 0;

    do
        head = look(&one);
    while (head->time < time || (int)head->n != n);
    for (int i = 0; i < n; i++)
        for (int axis = 0; axis < AXES; axis++) {
            sum += fabsf(place_of(head, i, axis) - before[i][axis]);
            before[i][axis] = place_of(head, i, axis);
        }
    return sum / n / AXES;
}

/* Mutants: an order that changes nothing, a step of more than one iteration, a value that is not
 * looked at; softening not squared for N-body, masses left out of an energy. */
TEST(orders_are_obeyed) {
    struct served served = serve("--n 256");
    static float places[128][AXES];
    double before;
    char wanted[32];

    come(&one, &served);
    hear_until(&one, "softening", "0.05\n"); /* its square is the parameter */
    send_order(&one, "pause 1");
    before = atof(value_of(hear_until(&one, "paused", "1"), "iterations"));
    send_order(&one, "stride 100");
    for (int k = 0; k < 3; k++) /* two of them come during the first turn */
        send_order(&one, "step");
    snprintf(wanted, sizeof wanted, "%.0f\n", before + 300);
    hear_until(&one, "iterations", wanted);
    send_order(&one, "stride 1");
    send_order(&one, "n 128");
    hear_until(&one, "n", "128\n");
    moved(0, places, 128);
    send_order(&one, "dt 1e-6");
    send_order(&one, "step");
    assert_true(moved(1e-6, places, 128) < 1e-3);
    send_order(&one, "dt 0.5");
    send_order(&one, "stride 3");
    send_order(&one, "step");
    assert_true(fabs(atof(value_of(hear_until(&one, "iterations", "4\n"), "time")) - 1.5) < 1e-5);
    assert_true(moved(1.5, places, 128) > 0.1);
    send_order(&one, "softening 0.25");
    hear_until(&one, "softening", "0.25\n");
    send_order(&one, "again");
    hear_until(&one, "iterations", "0\n");
    send_order(&one, "scene plummer");
    hear_until(&one, "scene", "plummer\n");
    send_order(&one, "n 1e30");
    hear_until(&one, "complaint", "n = 1e+30: a whole number from 1 to 16777216 is needed");
    send_order(&one, "n 16777216");
    hear_until(&one, "complaint", "n = 16777216: a picture would take");
    send_order(&one, "n 10000");
    hear_until(&one, "n", "10000\n");
    send_order(&one, "n 128");
    send_order(&one, "dt 0");
    hear_until(&one, "complaint", "dt = 0: a number above 0");
    send_order(&one, "softening much");
    hear_until(&one, "complaint", "softening: a number is needed");
    send_order(&one, "scene nowhere");
    hear_until(&one, "complaint", "nowhere: there is no such scene");
    go(&one);
    assert_code(end_serving(&served), 0);
}

static double hear_energy(struct viewer *viewer) {
    const char *text = hear_until(viewer, "kinetic", "");

    return atof(value_of(text, "kinetic")) + atof(value_of(text, "potential"));
}

/* Units in which G and the mass are 1: two stars have -m1 m2 / 2, the shell about -1/4. */
TEST(energies_are_those_of_the_bodies) {
    struct star pair[2];
    double right, energy;
    struct served served = serve("--step 30_leapfrog --of solutions --variant leapfrog");

    problem_find("leapfrog")->generate(pair, "kepler05", 2, 1);
    right = -pair[0].mass * pair[1].mass / 2;
    come(&one, &served);
    energy = hear_energy(&one);
    go(&one);
    assert_code(end_serving(&served), 0);
    if (!(fabs(energy - right) < 0.01 * fabs(right)))
        fail_msg("%g, not %g", energy, right);
    served = serve("--n 512");
    come(&one, &served);
    energy = hear_energy(&one);
    if (!(fabs(energy + 0.25) < 0.03))
        fail_msg("%g, not about -0.25", energy);
    go(&one);
    assert_code(end_serving(&served), 0);
}

static int player_of(pid_t referee) {
    return atoi(run("cat /proc/%d/task/%d/children", referee, referee).out);
}

/* In the midst of a turn, and between two, when the player is stopped. Mutant: an end by the
 * signal.
 */
TEST(ctrl_c_ends_all) {
    static const char *const orders[] = {"unpaced", "paused"};

    for (int k = 0; k < 2; k++) {
        struct served served =
            serve("--step 30_leapfrog --of solutions --variant leapfrog --n 2048");
        int player = player_of(served.pid);

        come(&one, &served);
        send_order(&one, k ? "pause 1" : "unpaced 1");
        hear_until(&one, orders[k], "1");
        assert_true(player > 0 && kill(player, 0) == 0);
        assert_code(end_serving(&served), 0);
        for (int wait = 0; wait < 100 * PATIENCE && !kill(player, 0); wait++)
            usleep(10000);
        if (!kill(player, SIGKILL))
            fail_msg("the player is left");
        go(&one);
    }
}

/* Mutants: the first scene whatever N is; a skeleton that moves nothing. */
TEST(what_moves_fits_what_was_asked) {
    struct served served = serve("--step 30 --of solutions --variant leapfrog --n 8");

    assert_says(end_serving(&served).out, "8 bodies of the distribution plummer, moved by");
    assert_code(run("awk -v want=skeleton -f common/referee/lesson/fences.awk "
                    "solutions/01_serial/nbody.c >steps/01_serial/nbody.c"),
                0);
    assert_one_line(run("build/referee live --step 01"), 39, "nothing moves", "part 1 is not");
    assert_code(run("rm steps/01_serial/nbody.c"), 0);
}

TEST(what_cannot_be_served_says_so) {
    int fd = socket(AF_INET, SOCK_STREAM, 0), port;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;

    bind(fd, (struct sockaddr *)&address, size);
    listen(fd, 1);
    getsockname(fd, (struct sockaddr *)&address, &size);
    port = ntohs(address.sin_port);
    assert_one_line(run("build/referee live --n 8 --port %d", port), 17, "it is taken",
                    "another one is needed");
    close(fd);
    assert_one_line(run("build/referee live --n 8 --address here"), 3, "ADDRESS=here", "127.0.0.1");
    assert_one_line(run("build/referee live --n 8 --address 192.0.2.1"), 3, "ADDRESS=192.0.2.1",
                    "127.0.0.1");
    assert_one_line(run("build/referee live --step 22_scan"), 3, "nothing moves in", "nbody");
    assert_one_line(run("mv build/lib/live.so build/x.so; "
                        "build/referee live --n 8; code=$?; mv build/x.so build/lib/live.so; "
                        "exit $code"),
                    1, "libwebsockets", "libwebsockets-dev");
}

/* A program with a body at no place, and one that crashes after a while. Mutants: a NaN becomes a
 * place; viewers are not told of the end; it ends with another code. */
TEST(a_program_may_be_wrong) {
    struct served served;
    struct result result;

    assert_code(run("sed 's|^    return 0;|    bodies[3].x = NAN; if (iterations == 7) "
                    "*(volatile int *)0 = 1;\\n&|' solutions/01_serial/nbody.c >build/wrong.c"),
                0);
    served = serve("--n 64 --step 01 --file build/wrong.c --variant gcc_O2");
    come(&one, &served);
    send_order(&one, "pause 1");
    send_order(&one, "again");
    send_order(&one, "step");
    hear_until(&one, "iterations", "1\n");
    while (look(&one)->left_out != 1) /* later all of them: it attracts the others */
        ;
    send_order(&one, "stride 7");
    send_order(&one, "pause 0");
    assert_says(hear_until(&one, "failure", "01_serial was ended by"), "Segmentation fault");
    result = served_until(&served);
    assert_code(result, 20);
    assert_int_equal(count_lines(result.err), 1);
    go(&one);
}

GROUP(enter_tree, stop_serving)
