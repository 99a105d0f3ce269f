-- Up Migration

-- The key that the first start made: one row, sealed with the secrets key of this installation.
CREATE TABLE first_start_key (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  mnemonic bytea NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now()
);

-- Extended public keys. Below each, addresses are derived at 0/0, 0/1, 0/2 and so on, no index twice.
CREATE TABLE derivation_keys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  currency text NOT NULL,
  xpub text NOT NULL,
  origin text NOT NULL CHECK (origin IN ('first start', 'operator')),
  note text,
  active boolean NOT NULL,
  next_index bigint NOT NULL DEFAULT 0 CHECK (next_index BETWEEN 0 AND 2147483648),
  -- How many of them came into the pool: an index whose address was there already leaves a gap.
  derived bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (currency, xpub)
);

CREATE UNIQUE INDEX one_active_derivation_key ON derivation_keys (currency) WHERE active;

CREATE TABLE address_pools (
  currency text PRIMARY KEY,
  -- false: no address can be had, however many are free
  available boolean NOT NULL DEFAULT true,
  -- How many were added by hand.
  added bigint NOT NULL DEFAULT 0
);

CREATE TABLE pool_addresses (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  currency text NOT NULL,
  address text NOT NULL,
  -- The one spelling under which an address is found and is unique, over all currencies.
  address_key text NOT NULL UNIQUE,
  -- What operators added by hand goes out before what was derived: 'added' sorts before 'derived'.
  source text NOT NULL CHECK (source IN ('added', 'derived')),
  key_id bigint REFERENCES derivation_keys,
  derivation_index bigint,
  -- Derived from a key that is no longer the active one: never handed out.
  retired boolean NOT NULL DEFAULT false,
  -- An address belongs to one deposit, for ever.
  deposit_id bigint UNIQUE,
  added_at timestamptz NOT NULL DEFAULT now(),
  taken_at timestamptz,
  UNIQUE (key_id, derivation_index),
  CHECK ((source = 'derived') = (key_id IS NOT NULL AND derivation_index IS NOT NULL)),
  CHECK ((deposit_id IS NULL) = (taken_at IS NULL))
);

CREATE INDEX free_addresses ON pool_addresses (currency, source, id) WHERE deposit_id IS NULL AND NOT retired;
CREATE INDEX retired_addresses ON pool_addresses (key_id) WHERE deposit_id IS NULL AND retired;
