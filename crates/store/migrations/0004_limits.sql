-- Units of rate limits and quotas, counted for all processes and machines together. `about` says what a counter counts.

CREATE TABLE limit_counters (
    counter TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    about TEXT NOT NULL,
    resets_at BIGINT,
    continued_until BIGINT,
    touched_at BIGINT NOT NULL
);
CREATE INDEX limit_counters_of_source ON limit_counters (source);

-- What counts, by the slice of time in which it was reserved. What an API says that others have used is slice -1.
CREATE TABLE limit_slices (
    counter TEXT NOT NULL,
    slice BIGINT NOT NULL,
    units BIGINT NOT NULL,
    counts_until BIGINT NOT NULL,
    PRIMARY KEY (counter, slice)
);
CREATE INDEX limit_slices_by_end ON limit_slices (counts_until);

-- Sources whose API asked to wait.
CREATE TABLE limit_holds (
    source TEXT PRIMARY KEY,
    until BIGINT NOT NULL
);
