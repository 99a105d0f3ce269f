-- Up Migration

-- Since when transactions wait that pay, while nothing is told of them: what is in a block by then was seen then.
CREATE TABLE chain_untold (
  chain text NOT NULL,
  txid text NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (chain, txid)
);

-- Down Migration

DROP TABLE chain_untold;
