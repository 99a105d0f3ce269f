-- Up Migration

-- Phones and addresses of e-mail stand here alone, so that they can be erased while the log stays whole.
CREATE TABLE kyc_contacts (
  id uuid PRIMARY KEY,
  entity_id bigint NOT NULL,
  gambler_ref text NOT NULL,
  phone text,
  email text,
  created_at timestamptz NOT NULL,
  erased_at timestamptz,
  CHECK ((erased_at IS NULL) = (phone IS NOT NULL)),
  CHECK (erased_at IS NULL OR email IS NULL)
);

CREATE UNIQUE INDEX kyc_contacts_once ON kyc_contacts (entity_id, gambler_ref, phone, email) NULLS NOT DISTINCT
  WHERE erased_at IS NULL;

-- Within an affiliate a phone names a person: a verified one as long as one of the players behind it is verified.
CREATE TABLE kyc_identities (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  affiliate_id bigint NOT NULL,
  -- A keyed hash: it can be found by the phone, the phone cannot be read from it.
  phone_hash bytea NOT NULL,
  UNIQUE (affiliate_id, phone_hash)
);

CREATE TABLE kyc_players (
  entity_id bigint NOT NULL,
  gambler_ref text NOT NULL CHECK (gambler_ref <> ''),
  state text NOT NULL DEFAULT 'none' CHECK (state IN ('none', 'link_sent', 'pending', 'verified', 'rejected')),
  -- When the simulated provider is done with a pending player; null: pending until an operator says otherwise.
  verified_from timestamptz CHECK (verified_from IS NULL OR state = 'pending'),
  -- Who was rejected cannot confirm a way back in: only a new verification will do.
  may_confirm boolean NOT NULL DEFAULT true,
  identity_id bigint REFERENCES kyc_identities,
  -- As of the last call.
  contact_id uuid REFERENCES kyc_contacts,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (entity_id, gambler_ref)
);

CREATE INDEX kyc_players_by_identity ON kyc_players (identity_id);

CREATE TABLE kyc_links (
  -- The token itself is in the message alone.
  token_hash bytea PRIMARY KEY,
  entity_id bigint NOT NULL,
  gambler_ref text NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('verify', 'confirm')),
  -- Of the phone that it was sent to.
  identity_id bigint NOT NULL REFERENCES kyc_identities,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  replaced_at timestamptz,
  FOREIGN KEY (entity_id, gambler_ref) REFERENCES kyc_players
);

-- A player has one link that works, at most.
CREATE UNIQUE INDEX kyc_links_open ON kyc_links (entity_id, gambler_ref) WHERE used_at IS NULL AND replaced_at IS NULL;
CREATE INDEX kyc_links_by_identity ON kyc_links (identity_id, created_at);

CREATE TABLE kyc_service (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  available boolean NOT NULL
);

INSERT INTO kyc_service (available) VALUES (true);
