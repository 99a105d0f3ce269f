-- Up Migration

-- Payments for which a deposit, or an older transaction, had no place: the inbox counts them among many that were ignored.
CREATE INDEX engine_signals_without_place ON engine_signals (nr)
  WHERE set_aside = 'ignored' AND detail LIKE '%: operators have to look at this one';

-- Down Migration

DROP INDEX engine_signals_without_place;
