-- Up Migration

-- When the turn of a signal comes: of what is told of one deposit or transaction one a second counts, however many come
-- at once, so that thousands of one keep no other waiting. It only orders them: where nobody else waits, all go at once.
ALTER TABLE chain_outbox ADD COLUMN turn_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX chain_outbox_in_turn ON chain_outbox (chain, turn_at, id);
CREATE INDEX chain_outbox_of_subjects ON chain_outbox (chain, subject, turn_at);
DROP INDEX chain_outbox_of_chain;

-- Here and not in the service, so that what a release adds that knows no turns comes after what it told before, too.
CREATE FUNCTION turn_of_chain_signal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.turn_at := greatest(now(), (
    SELECT max(turn_at) + interval '1 second' FROM chain_outbox WHERE chain = NEW.chain AND subject =
      -- As the column is made, which is not there yet.
      COALESCE('deposit ' || (NEW.signal ->> 'deposit_id'), 'transaction ' || (NEW.signal ->> 'transaction_id'), '')));
  RETURN NEW;
END $$;

CREATE TRIGGER in_turn BEFORE INSERT ON chain_outbox FOR EACH ROW EXECUTE FUNCTION turn_of_chain_signal();
