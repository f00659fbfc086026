/* The parts of the problem `galaxy`, as they see each other. */
#ifndef GALAXY_PROBLEM_H
#define GALAXY_PROBLEM_H

#include "problems/problem.h"
#include "snapshot.h"

extern const struct problem galaxy_problem;

/* What a program may do wrong; the model can be made with each of them. */
enum galaxy_fault {
    GALAXY_RIGHT,
    GALAXY_OWN_POTENTIAL, /* every sphere as if it were alone */
    GALAXY_NO_DISK_MASS,  /* spheres as if there were no disk */
    GALAXY_NO_ROOT,       /* f(E) = dg / dE, without Eddington's integral */
    GALAXY_NO_WEIGHT,     /* speeds drawn from f alone, without v^2 */
    GALAXY_HALF_ENERGY,   /* E = potential + v^2 */
    GALAXY_NO_DRIFT,      /* the disk turns with v_c */
    GALAXY_ROUND,         /* sigma_phi = sigma_R */
    GALAXY_KEPLER,        /* kappa = v_c / R */
    GALAXY_SELF_ONLY,     /* sigma_z without the spheres */
    GALAXY_NOT_CENTRED,
    GALAXY_FIRST_SEED, /* every pass from *seed */
    GALAXY_FAULTS
};

/* As many radii as steps have, but what is between them follows cubics, and twice their speeds. */
enum { GALAXY_RADII = 2048, GALAXY_SPEEDS = 512 };

/* Everything of a galaxy that depends on the radius alone. */
struct galaxy_model {
    struct galaxy_parameters parameters;
    enum galaxy_fault fault;
    double step, r[GALAXY_RADII]; /* kpc, in equal steps of ln r */
    double inside[COMPONENTS][GALAXY_RADII], spheres[GALAXY_RADII], all[GALAXY_RADII];
    double potential[SPHEROIDS]
                    [GALAXY_RADII];    /* of all mass; of the sphere's own with that fault */
    double f[SPHEROIDS][GALAXY_RADII]; /* Eddington's, at E = potential; over sqrt(8) pi^2 */
    double circular2[GALAXY_RADII], kappa2[GALAXY_RADII], sigma_0; /* of the disk, as in galaxy.h */
};

/* model.c. For free(); NULL when memory is short. */
struct galaxy_model *galaxy_model_new(const struct galaxy_parameters *parameters,
                                      enum galaxy_fault fault);

/* In kpc, the radius with that mass of a component inside it. */
double galaxy_radius(const struct galaxy_model *model, int component, double mass);

/* What a table has at a radius, by a cubic in ln r. */
double galaxy_at(const struct galaxy_model *model, const double *table, double radius);

/* f of a sphere at an energy between the table's ends, by a cubic. */
double galaxy_f(const struct galaxy_model *model, int component, double energy);

/* oracle.c: the bodies of the last of so many passes. With `tables` speeds come from a table in
 * radius and speed, as in a step; else from an integral for each body. Returns 0, or -1 if memory
 * is short. */
int galaxy_make(const struct galaxy_parameters *parameters, enum galaxy_fault fault, int tables,
                uint64_t seed, int passes, struct star *out);

/* judge.c: how far bodies are from the right ones. A body's error is the greater of those of its
 * place and velocity, each over its own length and a tenth of what is usual in its component. */
struct galaxy_errors {
    double l2, p99, max;       /* of velocities: the norm of all, and bodies' */
    int component;             /* the first with too many wrong ones; COMPONENTS: none */
    int wrong, of, first;      /* bodies above the limit there, of so many; the first of them */
    int is_velocity;           /* what is wrong of that one */
    double speed_ratio, reach; /* in that component, root mean square speed and mean radius over
                                  what they should be */
};

/* Returns 0, or -1 if memory is short. */
int galaxy_errors(const struct galaxy_parameters *parameters, const struct star *right,
                  const struct star *out, double tolerance, struct galaxy_errors *errors);

void galaxy_judge(const void *parameters, const void *input, const void *answer, const void *output,
                  const char *distribution, int iterations, double tolerance,
                  struct judgement *judgement);
void galaxy_judge_timed(const void *parameters, const void *input, const void *trusted,
                        const void *output, double tolerance, struct judgement *judgement);

/* motion.c: films of them. */
extern const struct motion galaxy_motion;

/* survey.c: the parameters of M31 of n bodies, and room for these. Returns 0, or says in `message`
 * (WHAT_BYTES) that memory is short. */
int galaxy_m31(int n, struct galaxy_parameters *parameters, struct snapshot *bodies, char *message);

/* What a program's M31, or the bodies that there are, is like in 48 rings and shells, between 0.1
 * and 400 kpc, and what it should be like. Of ring or shell 00, where there are 10 bodies or more:
 *
 *     radius_00      its middle, kpc
 *     halo_00, stellar_00, bulge_00    densities, solar masses per kpc^3
 *     disk_00        surface density, solar masses per kpc^2
 *     rotation_00    mean speed forwards of the disk's bodies, km/s
 *     q_00           Toomre's Q, from the disk's speeds outwards
 *
 * and model_halo_00 and so on from the model; also model_circular_00, v_c. */
int galaxy_survey(const struct surveyed *program);

#endif
