-- Up Migration

-- Everything that is to reach a player by SMS or e-mail, written in the transaction of whatever is the reason for it.
CREATE TABLE outgoing_messages (
  -- Chosen by whoever enqueues: the same id twice is one message.
  id uuid PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('sms', 'email')),
  recipient text NOT NULL CHECK (recipient <> ''),
  subject text,
  text text NOT NULL,
  link text,
  gambler_ref text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  -- Counted when an attempt begins, so that it also names the attempt that may settle the message.
  attempts integer NOT NULL DEFAULT 0,
  -- While an attempt is under way: the end of its lease.
  next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  error text
);

CREATE INDEX outgoing_messages_due ON outgoing_messages (next_attempt_at) WHERE state = 'queued';
CREATE INDEX outgoing_messages_newest ON outgoing_messages (seq);
CREATE INDEX outgoing_messages_by_recipient ON outgoing_messages (recipient, seq);
CREATE INDEX outgoing_messages_by_gambler ON outgoing_messages (gambler_ref, seq);
