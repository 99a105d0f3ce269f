-- Up Migration

-- The log held numbers or addresses that this database had not given: it was put back, and lacks the accounts of that time
-- too, of which the log need not know. Until their ids are passed over.
ALTER TABLE counted_through ADD COLUMN has_forgotten boolean NOT NULL DEFAULT false;
