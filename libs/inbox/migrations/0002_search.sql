-- Up Migration

-- What operators look for by a name that somebody told them. Payments are known by what was reported of them: the
-- payload stays as it was sent, so its index costs a later outcome nothing.
CREATE INDEX engine_signals_of_txid ON engine_signals (lower(substring(payload from '"(?:refund_)?txid":"([^"\\]{1,255})"')))
  WHERE type IN ('payment.seen', 'refund.broadcast');
CREATE INDEX returns_of_txid ON returns (lower(last_txid)) WHERE last_txid IS NOT NULL;
CREATE INDEX returns_of_address ON returns (lower(address));
CREATE INDEX deposits_of_transaction ON deposits USING brin (transaction_id) WITH (autosummarize = on);
