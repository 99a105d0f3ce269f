-- Up Migration

-- The outcome of a signal is written beside it on its page and touches no index, but for the few that changed nothing.
ALTER TABLE engine_signals SET (fillfactor = 60);

ALTER TABLE engine_signals ADD COLUMN set_aside text;
UPDATE engine_signals SET set_aside = outcome WHERE outcome <> 'applied';

-- Also for an instance of the release before, which does not know the column.
CREATE FUNCTION engine_signal_set_aside() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.set_aside := NEW.outcome;
  RETURN NEW;
END $$;
CREATE TRIGGER engine_signals_set_aside BEFORE INSERT OR UPDATE ON engine_signals FOR EACH ROW
  WHEN (NEW.outcome <> 'applied') EXECUTE FUNCTION engine_signal_set_aside();

CREATE INDEX engine_signals_of_set_aside ON engine_signals (set_aside, nr) WHERE set_aside IS NOT NULL;
DROP INDEX engine_signals_outcome_nr_idx;
