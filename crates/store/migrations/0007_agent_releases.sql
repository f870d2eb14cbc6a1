-- What a person has said yes to, by agent and action, until a report uses it up: whatever becomes of `run`, which it was given to. The columns `release` and
-- `release_hint` of agent_runs are not used any more.
CREATE TABLE agent_releases (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    run TEXT NOT NULL,
    hint TEXT NOT NULL,
    release TEXT NOT NULL,
    made_at BIGINT NOT NULL
);
CREATE INDEX agent_releases_of_agent ON agent_releases (agent, made_at);
INSERT INTO agent_releases (id, agent, run, hint, release, made_at)
    SELECT id, agent, id, COALESCE(release_hint, ''), release,
        COALESCE((SELECT max(at) FROM agent_steps WHERE agent_steps.run = agent_runs.id), started_at)
    FROM agent_runs WHERE state = 'running' AND release IS NOT NULL;

-- The process that a run belongs to, so that the run ends with it.
ALTER TABLE agent_runs ADD COLUMN instance TEXT;
