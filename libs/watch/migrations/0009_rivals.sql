-- Up Migration

-- What a block spends that a payment needs, while too few nodes have that block: it ends the payment once enough have it.
CREATE TABLE chain_rivals (
  chain text NOT NULL,
  txid text NOT NULL,
  block_hash text NOT NULL,
  block_height bigint NOT NULL,
  replaced_by text NOT NULL,
  is_by_peg_out boolean NOT NULL,
  PRIMARY KEY (chain, txid, block_hash)
);

-- Down Migration

DROP TABLE chain_rivals;
