-- Up Migration

-- What one payment depends on is looked for by its name, with each look at what waits.
CREATE INDEX chain_payment_inputs_of_payment ON chain_payment_inputs (chain, txid);

-- Down Migration

DROP INDEX chain_payment_inputs_of_payment;
