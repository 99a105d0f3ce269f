-- Up Migration

-- Since when transactions wait that would end payments and too few nodes have: what such a one pays itself was seen then.
CREATE TABLE chain_waiting_rivals (
  chain text NOT NULL,
  txid text NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (chain, txid)
);

-- Down Migration

DROP TABLE chain_waiting_rivals;
