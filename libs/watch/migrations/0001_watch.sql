-- Up Migration

-- How far each chain was followed. Whoever moves it names where it stood: nobody applies a block twice.
CREATE TABLE chain_tips (
  chain text PRIMARY KEY,
  hash text NOT NULL,
  height bigint NOT NULL,
  -- As the block says.
  block_time timestamptz NOT NULL,
  moved_at timestamptz NOT NULL DEFAULT now(),
  -- Up to where blocks were read a second time.
  audited_height bigint NOT NULL,
  -- What keeps the next block from being applied.
  held_because text,
  held_since timestamptz
);

-- The branch that was applied: a reorganisation is walked back along it.
CREATE TABLE chain_blocks (
  chain text NOT NULL,
  height bigint NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (chain, height)
);

CREATE TABLE chain_payments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain text NOT NULL,
  txid text NOT NULL,
  vout bigint NOT NULL,
  script text NOT NULL,
  -- In the smallest unit.
  amount numeric(78, 0) NOT NULL,
  deposit_id bigint,
  transaction_id bigint,
  -- waiting: in no block; mined: in a block, not told yet; confirmed: told.
  state text NOT NULL CHECK (state IN ('waiting', 'mined', 'confirmed', 'dropped', 'replaced')),
  -- Dust is recorded and never told.
  is_dust boolean NOT NULL,
  -- Rises when its story begins anew, so that the same fact a second time is another.
  epoch bigint NOT NULL DEFAULT 0,
  block_hash text,
  block_height bigint,
  replaceable boolean NOT NULL,
  -- Whether it was judged if it may count unconfirmed.
  is_judged boolean NOT NULL DEFAULT false,
  raw text,
  replaced_by text,
  seen_at timestamptz NOT NULL,
  vanished_at timestamptz,
  refused_since timestamptz,
  UNIQUE (chain, txid, vout, script),
  CHECK (num_nonnulls(deposit_id, transaction_id) = 1),
  CHECK ((state IN ('mined', 'confirmed')) = (block_hash IS NOT NULL AND block_height IS NOT NULL))
);

CREATE INDEX chain_payments_waiting ON chain_payments (chain) WHERE state = 'waiting';
CREATE INDEX chain_payments_mined ON chain_payments (chain) WHERE state = 'mined';
CREATE INDEX chain_payments_of_blocks ON chain_payments (chain, block_height) WHERE block_height IS NOT NULL;

-- What a payment, and each of its unconfirmed ancestors (`via`), spends: whatever else spends it ends the payment.
CREATE TABLE chain_payment_inputs (
  chain text NOT NULL,
  outpoint text NOT NULL,
  txid text NOT NULL,
  via text NOT NULL,
  PRIMARY KEY (chain, outpoint, txid)
);

-- Signals on their way, in the order of their facts.
CREATE TABLE chain_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain text NOT NULL,
  signal jsonb NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX chain_outbox_of_chain ON chain_outbox (chain, id);

CREATE TABLE chain_nodes (
  chain text NOT NULL,
  name text NOT NULL,
  state text NOT NULL CHECK (state IN ('ok', 'unreachable', 'wrong', 'syncing', 'stale', 'elsewhere')),
  problem text,
  height bigint,
  hash text,
  head_at timestamptz,
  asked_at timestamptz NOT NULL DEFAULT now(),
  since timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (chain, name)
);

-- Blocks that an operator wants read again.
CREATE TABLE chain_rescans (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain text NOT NULL,
  from_height bigint NOT NULL,
  to_height bigint NOT NULL,
  next_height bigint NOT NULL,
  found bigint NOT NULL DEFAULT 0,
  asked_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  CHECK (from_height >= 0 AND from_height <= to_height)
);
CREATE INDEX chain_rescans_open ON chain_rescans (chain, id) WHERE done_at IS NULL;
