-- What each instance says about itself, for the operator's page. A row is replaced every few seconds, and dropped when it is old.
CREATE TABLE instances (
    id TEXT PRIMARY KEY,
    started_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    report TEXT NOT NULL
);
