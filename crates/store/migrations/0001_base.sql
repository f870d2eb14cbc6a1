-- One text for both engines: BIGINT and TEXT only, times in milliseconds since 1970, digests in hexadecimal.

CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- What a confirmation token is good for. A token of a plan has a row for each different call.
CREATE TABLE confirmations (
    token TEXT NOT NULL,
    session TEXT NOT NULL,
    caller TEXT NOT NULL,
    source TEXT NOT NULL,
    operation TEXT NOT NULL,
    params TEXT NOT NULL,
    resolved TEXT NOT NULL,
    allowed BIGINT NOT NULL,
    used BIGINT NOT NULL,
    issued_at BIGINT NOT NULL,
    usable_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT,
    revoked_at BIGINT,
    PRIMARY KEY (token, source, operation, params, resolved)
);
CREATE INDEX confirmations_of_session ON confirmations (session);
CREATE INDEX confirmations_of_source ON confirmations (source, expires_at);
CREATE INDEX confirmations_by_expiry ON confirmations (expires_at);

-- What an operator is asked. `shown` is what the operator sees of it, with secrets hidden.
CREATE TABLE approvals (
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    session TEXT NOT NULL,
    caller TEXT NOT NULL,
    danger BIGINT NOT NULL,
    rule TEXT,
    shown TEXT NOT NULL,
    state TEXT NOT NULL,
    requested_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    decided_at BIGINT,
    approver TEXT,
    reason TEXT,
    used_at BIGINT
);
CREATE UNIQUE INDEX approvals_waiting ON approvals (session, fingerprint) WHERE state = 'waiting';
CREATE INDEX approvals_by_state ON approvals (state, expires_at);

CREATE TABLE approval_calls (
    approval TEXT NOT NULL,
    session TEXT NOT NULL,
    source TEXT NOT NULL,
    operation TEXT NOT NULL,
    params TEXT NOT NULL,
    resolved TEXT NOT NULL,
    state TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    allowed BIGINT NOT NULL,
    used BIGINT NOT NULL,
    PRIMARY KEY (approval, source, operation, params, resolved)
);
CREATE INDEX approval_calls_of_call ON approval_calls (session, source, operation, params, resolved);

-- Confirmed calls that have not reported their end. Whoever runs one keeps its lease.
CREATE TABLE started_calls (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    caller TEXT NOT NULL,
    source TEXT NOT NULL,
    operation TEXT NOT NULL,
    params TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    lease_until BIGINT NOT NULL
);
CREATE INDEX started_calls_by_lease ON started_calls (lease_until);

CREATE TABLE rates (
    subject TEXT NOT NULL,
    kind TEXT NOT NULL,
    opened_at BIGINT NOT NULL,
    hits BIGINT NOT NULL,
    PRIMARY KEY (subject, kind)
);

CREATE TABLE callers (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    token TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    added_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT
);

CREATE TABLE operator (
    id BIGINT PRIMARY KEY,
    passphrase TEXT NOT NULL,
    set_at BIGINT NOT NULL
);

CREATE TABLE audit (
    seq BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    event TEXT NOT NULL,
    outcome TEXT NOT NULL,
    session TEXT,
    caller TEXT,
    source TEXT,
    operation TEXT,
    params TEXT,
    rule TEXT,
    approver TEXT,
    token TEXT,
    detail TEXT,
    mac TEXT NOT NULL
);

CREATE TABLE audit_head (
    id BIGINT PRIMARY KEY,
    seq BIGINT NOT NULL,
    mac TEXT NOT NULL,
    seals BIGINT NOT NULL,
    sealed_seq BIGINT NOT NULL,
    seal_mac TEXT NOT NULL
);
INSERT INTO audit_head (id, seq, mac, seals, sealed_seq, seal_mac) VALUES (1, 0, '', 0, 0, '');

CREATE TABLE audit_seals (
    number BIGINT PRIMARY KEY,
    through BIGINT NOT NULL,
    at BIGINT NOT NULL,
    mac TEXT NOT NULL
);
