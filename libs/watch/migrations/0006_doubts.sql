-- Up Migration

-- Since when what a payment was judged by is gone: its deposit counts on it for a moment more, unless it is judged anew.
ALTER TABLE chain_payments ADD COLUMN doubted_since timestamptz;

-- Down Migration

ALTER TABLE chain_payments DROP COLUMN doubted_since;
