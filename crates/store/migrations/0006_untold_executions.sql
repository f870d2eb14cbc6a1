-- An execution that has ended and still has a lease is one whose API is to be told so.

CREATE INDEX executions_untold ON executions (lease_until) WHERE state NOT IN ('pending', 'running') AND lease_until IS NOT NULL;
