-- Up Migration

-- What a miner made in a block: it has to be deeper than others to count as confirmed, and is gone with its block. The
-- default is what an older release adds, too.
ALTER TABLE chain_payments ADD COLUMN is_coinbase boolean NOT NULL DEFAULT false;

-- By its bytes: one input, of nobody's coin. No block that is no longer kept is ever given up.
UPDATE chain_payments p SET is_coinbase = true
FROM chain_payments made JOIN chain_blocks b ON b.chain = made.chain AND b.height = made.block_height
WHERE made.raw ~ '^.{8}(000[0-9a-f])?010{64}ffffffff' AND p.chain = made.chain AND p.txid = made.txid;

-- Down Migration

ALTER TABLE chain_payments DROP COLUMN is_coinbase;
