-- The gradebook. What was handed in and what was measured is written once and never changed; grades
-- follow from it and a rubric, and are written anew whenever one of them is.

-- schema: this layout's number; secret: 64 hex digits, from which seeds are derived; rubric: the
-- path of the rubric by which the grades were given; time_zone: its own.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);

-- The course's own solutions are a submission too, of the student '*'.
CREATE TABLE submission (
    id INTEGER PRIMARY KEY,
    student TEXT NOT NULL,
    name TEXT NOT NULL,          -- a person's, or empty
    origin TEXT NOT NULL,        -- the archive or folder
    sha256 TEXT NOT NULL,        -- of what was taken from it
    submitted_utc TEXT NOT NULL, -- or empty
    collected_utc TEXT NOT NULL,
    UNIQUE (student, sha256)
);

-- What the clock of its export's zip showed, as 2026-11-21T22:40:00, in no time zone. submitted_utc
-- follows from it and the rubric's time_zone, and is written anew with the grades.
CREATE TABLE clock (
    submission INTEGER PRIMARY KEY REFERENCES submission (id),
    time TEXT NOT NULL
);

-- What was not taken of it, and why.
CREATE TABLE refusal (
    submission INTEGER NOT NULL REFERENCES submission (id),
    path TEXT NOT NULL,
    reason TEXT NOT NULL
);

-- A step of a submission.
CREATE TABLE entry (
    id INTEGER PRIMARY KEY,
    submission INTEGER NOT NULL REFERENCES submission (id),
    step TEXT NOT NULL,          -- NN_name
    origin TEXT NOT NULL,        -- the file in the archive
    source BLOB NOT NULL,
    flags TEXT,                  -- 09's
    UNIQUE (submission, step)
);

CREATE TABLE answer (
    submission INTEGER NOT NULL REFERENCES submission (id),
    step TEXT NOT NULL,
    question TEXT NOT NULL,
    text TEXT NOT NULL
);

-- The last one of a step that was not late, else the last.
CREATE TABLE prediction (
    submission INTEGER NOT NULL REFERENCES submission (id),
    step TEXT NOT NULL,
    made_utc TEXT NOT NULL,
    speedup REAL NOT NULL,
    limit_name TEXT NOT NULL,
    late INTEGER NOT NULL
);

-- A run of the referee.
CREATE TABLE measurement (
    id INTEGER PRIMARY KEY,
    entry INTEGER NOT NULL REFERENCES entry (id),
    kind TEXT NOT NULL CHECK (kind IN ('check', 'speed')),
    repeat INTEGER NOT NULL,     -- 0, 1, ...: a speed that was inconclusive is measured again
    seed TEXT NOT NULL,          -- of its inputs, decimal
    level INTEGER NOT NULL,      -- of the sandbox
    machine TEXT NOT NULL,       -- host, CPU and GPU
    course TEXT NOT NULL,        -- the commit of the course that measured
    begun_utc TEXT NOT NULL,
    seconds REAL NOT NULL,       -- it took
    outcome TEXT NOT NULL,       -- a word of docs/exit-codes.md
    result TEXT NOT NULL,        -- JSON, measure/task.h
    UNIQUE (entry, kind, repeat)
);

-- The rubric by which the grades below were given: one row.
CREATE TABLE rubric (sha256 TEXT NOT NULL, text TEXT NOT NULL, applied_utc TEXT NOT NULL);

-- Points of an entry, an item of the rubric a row.
CREATE TABLE grade (
    entry INTEGER NOT NULL REFERENCES entry (id),
    position INTEGER NOT NULL,   -- in the order of the rubric
    item TEXT NOT NULL,
    points REAL NOT NULL,
    possible REAL NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('earned', 'left out', 'inconclusive')),
    explanation TEXT NOT NULL,   -- for the student
    PRIMARY KEY (entry, item)
);

-- What a student has for a step: of the attempt that counts. `points` are after late days and caps.
CREATE TABLE total (
    student TEXT NOT NULL,
    step TEXT NOT NULL,
    entry INTEGER REFERENCES entry (id), -- NULL: not handed in
    earned REAL NOT NULL,
    late_days INTEGER NOT NULL,
    points REAL NOT NULL,
    possible REAL NOT NULL,      -- without what was left out
    explanation TEXT NOT NULL,   -- of what late days and caps took away; else empty
    PRIMARY KEY (student, step)
);

-- Pairs of entries more alike than the class is, for the instructor alone.
CREATE TABLE similar (
    step TEXT NOT NULL,
    one INTEGER NOT NULL REFERENCES entry (id),
    other INTEGER NOT NULL REFERENCES entry (id),
    share REAL NOT NULL,         -- of the smaller one's own lines that the other has too
    usual REAL NOT NULL,         -- what pairs of this class share
    PRIMARY KEY (one, other)
);
