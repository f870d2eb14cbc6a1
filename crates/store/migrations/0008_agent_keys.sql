-- Keys of agents have no separators any more. A letter that looks like two is taken apart first, as the program does it. Of two blocked agents that are one by that, the block
-- that came last stays; the challenges of the others are over.
DELETE FROM agent_blocks WHERE EXISTS (
    SELECT 1 FROM agent_blocks other WHERE other.agent <> agent_blocks.agent
        AND replace(replace(replace(replace(replace(other.agent, '-', ''), 'm', 'rn'), 'rn', 'm'), 'w', 'vv'), 'vv', 'w')
            = replace(replace(replace(replace(replace(agent_blocks.agent, '-', ''), 'm', 'rn'), 'rn', 'm'), 'w', 'vv'), 'vv', 'w')
        AND (other.blocked_at > agent_blocks.blocked_at
            OR other.blocked_at = agent_blocks.blocked_at AND other.agent > agent_blocks.agent));
UPDATE agent_challenges SET state = 'expired', salt = NULL, code = NULL
    WHERE kind = 'block' AND state IN ('waiting', 'open') AND id NOT IN (SELECT challenge FROM agent_blocks);
DELETE FROM agent_notices WHERE kind = 'danger_zone' AND challenge NOT IN (SELECT challenge FROM agent_blocks);
DELETE FROM agent_attempts WHERE subject NOT LIKE 'session:%' AND EXISTS (
    SELECT 1 FROM agent_attempts other WHERE other.subject <> agent_attempts.subject AND other.subject NOT LIKE 'session:%'
        AND replace(replace(replace(replace(replace(other.subject, '-', ''), 'm', 'rn'), 'rn', 'm'), 'w', 'vv'), 'vv', 'w')
            = replace(replace(replace(replace(replace(agent_attempts.subject, '-', ''), 'm', 'rn'), 'rn', 'm'), 'w', 'vv'), 'vv', 'w')
        AND (other.locked_until > agent_attempts.locked_until
            OR other.locked_until = agent_attempts.locked_until AND other.subject > agent_attempts.subject));
UPDATE agent_blocks SET agent = replace(replace(replace(replace(replace(agent, '-', ''), 'm', 'rn'), 'rn', 'm'), 'w', 'vv'), 'vv', 'w');
UPDATE agent_runs SET agent = replace(replace(replace(replace(replace(agent, '-', ''), 'm', 'rn'), 'rn', 'm'), 'w', 'vv'), 'vv', 'w');
UPDATE agent_releases SET agent = replace(replace(replace(replace(replace(agent, '-', ''), 'm', 'rn'), 'rn', 'm'), 'w', 'vv'), 'vv', 'w');
UPDATE agent_challenges SET agent = replace(replace(replace(replace(replace(agent, '-', ''), 'm', 'rn'), 'rn', 'm'), 'w', 'vv'), 'vv', 'w');
UPDATE agent_notices SET agent = replace(replace(replace(replace(replace(agent, '-', ''), 'm', 'rn'), 'rn', 'm'), 'w', 'vv'), 'vv', 'w');
UPDATE agent_notices SET about = replace(replace(replace(replace(replace(about, '-', ''), 'm', 'rn'), 'rn', 'm'), 'w', 'vv'), 'vv', 'w')
    WHERE kind = 'danger_zone';
UPDATE agent_attempts SET subject = replace(replace(replace(replace(replace(subject, '-', ''), 'm', 'rn'), 'rn', 'm'), 'w', 'vv'), 'vv', 'w')
    WHERE subject NOT LIKE 'session:%';
