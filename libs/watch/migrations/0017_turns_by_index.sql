-- Up Migration

-- Whatever statistics say, and whichever plan a session has kept from when nothing waited, the last turn of one is found by
-- this index: no other is in that order. A stranger's thousands of outputs would be read once for each of them otherwise.
CREATE INDEX chain_outbox_last_turns ON chain_outbox ((chain || ' ' || subject), turn_at);
DROP INDEX chain_outbox_of_subjects;

-- As the column is made, of what is not there yet.
CREATE FUNCTION subject_of_chain_signal(signal jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT COALESCE('deposit ' || (signal ->> 'deposit_id'), 'transaction ' || (signal ->> 'transaction_id'), '')
$$;

CREATE FUNCTION next_chain_turn(of_chain text, of_subject text) RETURNS timestamptz LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
BEGIN
  RETURN greatest(now(), (
    SELECT turn_at + interval '1 second' FROM chain_outbox
    WHERE chain || ' ' || subject = of_chain || ' ' || of_subject ORDER BY turn_at DESC LIMIT 1));
END $$;

-- A release that knows this looks the last turn up once for all that it adds at once: what was sent of the same one stays in
-- the index for a while, and is walked over each time. What one adds that does not is given its turn row by row.
ALTER TABLE chain_outbox ALTER COLUMN turn_at DROP DEFAULT;

CREATE OR REPLACE FUNCTION turn_of_chain_signal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.turn_at := next_chain_turn(NEW.chain, subject_of_chain_signal(NEW.signal));
  RETURN NEW;
END $$;

DROP TRIGGER in_turn ON chain_outbox;
CREATE TRIGGER in_turn BEFORE INSERT ON chain_outbox FOR EACH ROW WHEN (NEW.turn_at IS NULL)
EXECUTE FUNCTION turn_of_chain_signal();

-- Down Migration

DROP TRIGGER in_turn ON chain_outbox;
CREATE TRIGGER in_turn BEFORE INSERT ON chain_outbox FOR EACH ROW EXECUTE FUNCTION turn_of_chain_signal();

CREATE OR REPLACE FUNCTION turn_of_chain_signal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.turn_at := greatest(now(), (
    SELECT max(turn_at) + interval '1 second' FROM chain_outbox WHERE chain = NEW.chain AND subject =
      COALESCE('deposit ' || (NEW.signal ->> 'deposit_id'), 'transaction ' || (NEW.signal ->> 'transaction_id'), '')));
  RETURN NEW;
END $$;

ALTER TABLE chain_outbox ALTER COLUMN turn_at SET DEFAULT now();
DROP FUNCTION next_chain_turn(text, text);
DROP FUNCTION subject_of_chain_signal(jsonb);
CREATE INDEX chain_outbox_of_subjects ON chain_outbox (chain, subject, turn_at);
DROP INDEX chain_outbox_last_turns;
