-- Agents that work on their own. `agent` is the key of a name, the same for all its spellings; `name` is as it may be shown.

-- Who may do nothing any more until a person says so. Never removed by time.
CREATE TABLE agent_blocks (
    agent TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    challenge TEXT NOT NULL,
    hint TEXT NOT NULL,
    reason TEXT NOT NULL,
    blocked_at BIGINT NOT NULL
);

-- Runs. `steps` counts since a person last looked, `reported` all of them. `pause` is the stage that paused the run; `release`
-- what a person said yes to, for `release_hint`. `covers` is 1 while the last report stands for a call that was not made yet.
CREATE TABLE agent_runs (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    name TEXT NOT NULL,
    session TEXT NOT NULL,
    caller TEXT NOT NULL,
    state TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT,
    reported BIGINT NOT NULL,
    steps BIGINT NOT NULL,
    risk BIGINT NOT NULL,
    hint TEXT,
    covers BIGINT NOT NULL,
    pause TEXT,
    pause_reason TEXT,
    pause_hint TEXT,
    pause_token TEXT,
    pause_token_expires BIGINT,
    release TEXT,
    release_hint TEXT
);
CREATE INDEX agent_runs_of_session ON agent_runs (session, state);
CREATE INDEX agent_runs_of_agent ON agent_runs (agent, state);

CREATE TABLE agent_steps (
    run TEXT NOT NULL,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    hint TEXT NOT NULL,
    hint_key TEXT NOT NULL,
    outcome TEXT,
    effect TEXT NOT NULL,
    stage TEXT NOT NULL,
    score BIGINT,
    PRIMARY KEY (run, number)
);

-- What a person has to verify. The code is kept as a salted hash, from the moment on that the operator opens it.
CREATE TABLE agent_challenges (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    run TEXT,
    kind TEXT NOT NULL,
    hint TEXT NOT NULL,
    reason TEXT NOT NULL,
    instance TEXT NOT NULL,
    state TEXT NOT NULL,
    salt TEXT,
    code TEXT,
    made_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX agent_challenges_of_agent ON agent_challenges (agent, state);

-- What agents are told with their next report, until it is settled. `about` is the agent that a block is about.
CREATE TABLE agent_notices (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    about TEXT,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    operation TEXT,
    reason TEXT,
    level TEXT,
    challenge TEXT,
    made_at BIGINT NOT NULL
);
CREATE INDEX agent_notices_of_agent ON agent_notices (agent, made_at);

-- Failed verifications, by agent or by session, and until when no more are taken.
CREATE TABLE agent_attempts (
    subject TEXT PRIMARY KEY,
    failures BIGINT NOT NULL,
    opened_at BIGINT NOT NULL,
    lockouts BIGINT NOT NULL,
    locked_until BIGINT NOT NULL
);
