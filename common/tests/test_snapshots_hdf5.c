/* Files of bodies in HDF5, where libhdf5 is: what is written is what others expect and what is read
 * back, and each fault of a file is named. */
#include "testing.h"
#include "snapshot_bodies.h"

#ifdef H5_VERS_MAJOR

TEST(hdf5_keeps_doubles) {
    struct snapshot six = six_bodies(), back;

    write_right("a.hdf5", &six);
    back = read_right("a.hdf5");
    assert_memory_equal(back.first, six.first, sizeof six.first);
    for (int i = 0; i < 6; i++) {
        assert_memory_equal(back.stars[i].x, six.stars[i].x, 6 * sizeof(double));
        /* It goes to other units and comes back. */
        assert_true(fabs(back.stars[i].mass / six.stars[i].mass - 1) < 3e-16);
    }
    free(back.stars);
    free(six.stars);
}

static void read_set(hid_t file, const char *name, hid_t type, int count, void *values) {
    hid_t set = H5Dopen(file, name, H5P_DEFAULT), space = H5Dget_space(set);

    assert_int_equal(H5Sget_simple_extent_npoints(space), count);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(set);
}

static void read_attribute(hid_t file, const char *name, hid_t type, void *values) {
    hid_t attribute = H5Aopen_by_name(file, "Header", name, H5P_DEFAULT, H5P_DEFAULT);

    assert_true(attribute >= 0);
    assert_true(H5Aread(attribute, type, values) >= 0);
    H5Aclose(attribute);
}

/* In Gadget's own words, units and order. */
TEST(hdf5_is_gadgets) {
    static const char *const of_one[] = {"Time",
                                         "Redshift",
                                         "BoxSize",
                                         "HubbleParam",
                                         "NumFilesPerSnapshot",
                                         "Omega0",
                                         "OmegaLambda",
                                         "Flag_Sfr",
                                         "Flag_Entropy_ICs",
                                         "Flag_Cooling",
                                         "Flag_StellarAge",
                                         "Flag_Metals"};
    static const int of_type[] = {0, 2, 3, 1, 0, 0};
    struct snapshot six = six_bodies();
    double masses[2], places[9], value[6];
    int counts[6], numbers[3];
    hid_t file;

    write_right("a.hdf5", &six);
    assert_true((file = H5Fopen(path_of("a.hdf5"), H5F_ACC_RDONLY, H5P_DEFAULT)) >= 0);
    read_attribute(file, "NumPart_ThisFile", H5T_NATIVE_INT, counts);
    assert_memory_equal(counts, of_type, sizeof of_type);
    read_attribute(file, "NumPart_Total", H5T_NATIVE_INT, counts);
    assert_memory_equal(counts, of_type, sizeof of_type);
    read_attribute(file, "MassTable", H5T_NATIVE_DOUBLE, value);
    assert_true(value[1] == 0);
    for (size_t k = 0; k < sizeof of_one / sizeof *of_one; k++) {
        read_attribute(file, of_one[k], H5T_NATIVE_DOUBLE, value);
        assert_true(value[0] == (k == 3 || k == 4));
    }
    read_set(file, "PartType1/Masses", H5T_NATIVE_DOUBLE, 2, masses);
    assert_true(fabs(masses[1] * 1e10 / (six.stars[1].mass * 232508.54) - 1) < 1e-15);
    read_set(file, "PartType2/Coordinates", H5T_NATIVE_DOUBLE, 9, places);
    assert_memory_equal(places + 3, six.stars[4].x, sizeof six.stars[4].x);
    read_set(file, "PartType2/Velocities", H5T_NATIVE_DOUBLE, 9, places);
    assert_memory_equal(places + 3, six.stars[4].v, sizeof six.stars[4].v);
    read_set(file, "PartType2/ParticleIDs", H5T_NATIVE_INT, 3, numbers);
    assert_true(numbers[0] == 4 && numbers[2] == 6);
    assert_false(H5Lexists(file, "PartType4", H5P_DEFAULT));
    H5Fclose(file);
    free(six.stars);
}

/* In place of what the file has there; no numbers: nothing. */
static void set_attribute(hid_t file, const char *name, int count, const double *values) {
    const hsize_t size = (hsize_t)count;
    hid_t header = H5Gopen(file, "Header", H5P_DEFAULT);

    H5Adelete(header, name);
    if (count) {
        hid_t space = H5Screate_simple(1, &size, NULL);
        hid_t attribute =
            H5Acreate(header, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);

        H5Awrite(attribute, H5T_NATIVE_DOUBLE, values);
        H5Aclose(attribute);
        H5Sclose(space);
    }
    H5Gclose(header);
}

static void set_set(hid_t file, const char *name, int rows, int width, hid_t type,
                    const void *values) {
    const hsize_t sizes[] = {(hsize_t)rows, (hsize_t)width};

    H5Ldelete(file, name, H5P_DEFAULT);
    if (rows) {
        hid_t space = H5Screate_simple(width ? 2 : 1, sizes, NULL);
        hid_t set = H5Dcreate(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        H5Dclose(set);
        H5Sclose(space);
    }
}

/* Floats, one mass for all of a type, as many types as the code that wrote it has. */
TEST(hdf5_of_others_is_read) {
    const double counts[] = {0, 2}, masses[] = {0, 2.5};
    const float places[] = {1, 2, 3, 4, 5, 6.5f};
    struct snapshot six = six_bodies(), two;
    hid_t file;

    write_right("b.hdf5", &six);
    assert_true((file = H5Fopen(path_of("b.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT)) >= 0);
    set_attribute(file, "NumPart_ThisFile", 2, counts);
    set_attribute(file, "MassTable", 2, masses);
    set_set(file, "PartType1/Masses", 0, 0, 0, NULL);
    set_set(file, "PartType1/Coordinates", 2, 3, H5T_NATIVE_FLOAT, places);
    H5Fclose(file);
    two = read_right("b.hdf5");
    assert_int_equal(two.first[COMPONENTS], 2);
    assert_true(two.stars[1].x[0] == 4 && two.stars[1].x[2] == 6.5);
    assert_true(fabs(two.stars[1].mass * 232508.54 / 2.5e10 - 1) < 1e-15);
    free(two.stars);
    free(six.stars);
}

TEST(faults_of_hdf5_are_named) {
    static const double none[20], not_finite[20] = {[7] = NAN}, negative[20] = {[1] = -1};
    static const struct {
        const char *name; /* of an attribute or, with a stroke, of a dataset */
        int count, width; /* of numbers or rows; 0: it is taken away */
        double values[6];
        const double *rows;
        const char *phrase;
    } faults[] = {
        {"NumPart_ThisFile", 0, 0, {0}, NULL, "an attribute NumPart_ThisFile"},
        {"NumPart_ThisFile", 7, 0, {0}, none, "an attribute NumPart_ThisFile, 1 to 6 numbers"},
        {"NumPart_ThisFile", 6, 0, {0, -2, 3, 1}, NULL, "says -2 bodies of type 1"},
        {"NumPart_ThisFile", 6, 0, {0, 1e6, 3, 1}, NULL, "PartType1/Coordinates of 1000000 rows"},
        {"NumPart_ThisFile", 6, 0, {0, 1, 3, 1}, NULL, "of 1 rows of 3 numbers; there is another"},
        {"NumPart_ThisFile", 6, 0, {0, 2e8, 2e8, 1}, NULL, "should be 0 to 2^28 together"},
        {"NumPart_ThisFile", 6, 0, {0, 1e15, 3, 1}, NULL, "says 1000000000000000 bodies"},
        {"NumPart_ThisFile", 6, 0, {4, 2, 3, 1}, NULL, "says 4 bodies of type 0"},
        {"NumPart_ThisFile", 6, 0, {0, 2, 3, 1, 0, 4}, NULL, "only of types 1 to 4"},
        {"NumPart_ThisFile", 6, 0, {0, 2, 3, 1, 4}, NULL, "PartType4/Coordinates of 4 rows"},
        {"NumPart_ThisFile", 6, 0, {0}, NULL, "there should be one or more"},
        {"MassTable", 0, 0, {0}, NULL, "an attribute MassTable"},
        {"NumFilesPerSnapshot", 1, 0, {4}, NULL, "in 4 files; they should be in one"},
        {"PartType1",
         0,
         0,
         {0},
         NULL,
         "PartType1/Coordinates of 2 rows of 3 numbers; there is none"},
        {"PartType3/Velocities", 0, 0, {0}, NULL, "PartType3/Velocities of 1 rows"},
        {"PartType2/Masses",
         0,
         0,
         {0},
         NULL,
         "PartType2/Masses of 3 rows of 1 numbers; there is none"},
        {"PartType2/Coordinates", 3, 2, {0}, none, "PartType2/Coordinates of 3 rows of 3"},
        {"PartType2/Coordinates", 9, 0, {0}, none, "PartType2/Coordinates of 3 rows of 3"},
        {"PartType2/Masses", 2, 0, {0}, none, "PartType2/Masses of 3 rows"},
        {"PartType2/Velocities",
         3,
         3,
         {0},
         not_finite,
         "body 6 of 6 has a number that is not finite"},
        {"PartType2/Masses", 3, 0, {0}, negative, "body 5 of 6 has a negative mass"},
        {"Header", 0, 0, {0}, NULL, "a group Header"},
    };
    struct snapshot six = six_bodies();

    H5Eset_auto(H5E_DEFAULT, NULL, NULL);
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        const double *values = faults[k].rows ? faults[k].rows : faults[k].values;
        hid_t file;

        write_right("c.hdf5", &six);
        assert_true((file = H5Fopen(path_of("c.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT)) >= 0);
        if (strchr(faults[k].name, '/') || !strncmp(faults[k].name, "Part", 4) ||
            !strcmp(faults[k].name, "Header"))
            set_set(file, faults[k].name, faults[k].count, faults[k].width, H5T_NATIVE_DOUBLE,
                    values);
        else
            set_attribute(file, faults[k].name, faults[k].count, values);
        H5Fclose(file);
        assert_refused("c.hdf5", faults[k].phrase);
    }
    free(six.stars);
}

TEST(words_are_no_numbers) {
    struct snapshot six = six_bodies();
    hid_t file, text = H5Tcopy(H5T_C_S1);

    H5Tset_size(text, 1);
    write_right("d.hdf5", &six);
    assert_true((file = H5Fopen(path_of("d.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT)) >= 0);
    set_set(file, "PartType2/Masses", 3, 0, text, "abc");
    H5Fclose(file);
    H5Tclose(text);
    assert_refused("d.hdf5", "PartType2/Masses");
    free(six.stars);
}

/* At any byte, as by a disk that was full. */
TEST(no_part_of_a_file_is_taken_for_it) {
    struct snapshot six = six_bodies();
    size_t size;
    char *bytes;

    write_right("e.hdf5", &six);
    assert_non_null(bytes = read_file(path_of("e.hdf5"), &size));
    for (size_t kept = 0; kept < size; kept += 97) {
        write_bytes(path_of("f.hdf5"), bytes, kept);
        assert_refused("f.hdf5", kept < 8 ? "no HDF5 file, which should begin" : "f.hdf5: ");
    }
    write_bytes(path_of("f.hdf5"), bytes, size - 1);
    assert_refused("f.hdf5", "cut off or damaged");
    free(bytes);
    free(six.stars);
}

TEST(a_failure_is_said) {
    struct snapshot six = six_bodies();
    char message[512];

    assert_int_equal(snapshot_write(path_of("no/such.hdf5"), &six, message), OUTCOME_RESULTS);
    assert_non_null(strstr(message, "such.hdf5 cannot be written: No such file"));
    free(six.stars);
}

GROUP(begin_folder, end_folder)
#else
TEST(there_is_no_libhdf5_here) {
    skip();
}
#endif
