-- Executions: jobs of APIs that go on after the call that started them. `body` is the program's own affair; the columns are what is asked for.

CREATE TABLE executions (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    session TEXT NOT NULL,
    source TEXT NOT NULL,
    carries_on BIGINT NOT NULL,
    state TEXT NOT NULL,
    version BIGINT NOT NULL,
    body TEXT NOT NULL,
    result TEXT,
    created_at BIGINT NOT NULL,
    finished_at BIGINT,
    gives_up_at BIGINT NOT NULL,
    holder TEXT,
    lease_until BIGINT
);
CREATE INDEX executions_of_owner ON executions (owner, created_at);
CREATE INDEX executions_open ON executions (lease_until) WHERE state IN ('pending', 'running');
CREATE INDEX executions_of_session ON executions (session) WHERE state IN ('pending', 'running');
CREATE INDEX executions_by_end ON executions (finished_at);
