-- Up Migration

-- Each kind has a sender of its own, which steps over nothing of the other.
CREATE INDEX outgoing_messages_due_by_kind ON outgoing_messages (kind, next_attempt_at) WHERE state = 'queued';
DROP INDEX outgoing_messages_due;
