/* Everything particular to a step stands in its two folders: no file of common/ and grading/, tests
 * aside, holds the name of a step. Run from the repository's root. */
#include "testing.h"
#include "catalogue_of_steps.h"
#include "files.h"

/* The files that name a step, a line each with its place; to be freed. */
static char *found_in(const char *folders) {
    char path[96], command[512], *text;
    FILE *names;
    int i;

    assert_int_equal(read_catalogue(NULL), OUTCOME_ACCEPTED);
    assert_int_equal(make_folder(folder), 0);
    snprintf(path, sizeof path, "%s/names", folder);
    assert_non_null(names = fopen(path, "w"));
    for (i = 0; i < catalogue.count; i++)
        fprintf(names, "%s\n", catalogue.steps[i].name);
    fclose(names);
    snprintf(command, sizeof command,
             "grep -rnFI --exclude-dir=tests -f %s/names %s >%s/found; [ $? -le 1 ]", folder,
             folders, folder);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/found", folder);
    assert_non_null(text = read_file(path, NULL));
    remove_folder(folder);
    return text;
}

TEST(no_step_is_named) {
    char *found = found_in("common grading");

    if (*found)
        fail_msg("a step's own belongs into steps/NN_name/ or solutions/NN_name/:\n%s", found);
    free(found);
}

TEST(names_are_found) {
    char *found = found_in("steps/05_tiling");

    assert_non_null(strstr(found, "steps/05_tiling/manifest:5:builds_on = 04_soa\n"));
    free(found);
}
