-- Up Migration

-- The Deposit object of every deposit, written by the projection `deposits` alone.
CREATE TABLE deposits (
  id                       bigint      PRIMARY KEY,
  transaction_id           bigint      NOT NULL,
  affiliate_id             bigint      NOT NULL,
  entity_id                bigint      NOT NULL,
  gambler_ref              text        NOT NULL,
  machine_id               text,
  -- Made through a test key or a test casino: never settled.
  test                     boolean     NOT NULL,
  currency                 text        NOT NULL,
  wallet                   text,
  created_at               timestamptz NOT NULL,
  expires_at               timestamptz NOT NULL,
  -- When the event of `revision` was recorded.
  updated_at               timestamptz NOT NULL,
  revision                 bigint      NOT NULL,
  status                   text        NOT NULL,
  late_payment             boolean     NOT NULL,
  confirmed_crypto         numeric,
  crypto_amount            numeric     NOT NULL,
  usd_amount               numeric     NOT NULL,
  player_amount            numeric     NOT NULL,
  entity_net_usd           numeric     NOT NULL,
  crypto_rate              numeric     NOT NULL,
  market_rate              numeric     NOT NULL,
  -- Amounts in it are decimal text: JSON numbers would become doubles on the way out.
  charges                  jsonb       NOT NULL,
  decision                 text        NOT NULL,
  decision_at              timestamptz,
  return_address           text,
  acceptable               boolean     NOT NULL,
  kyt_status               text,
  kyt_risk_score           numeric,
  -- Text, as are all times that a signal brings: they may be any instant, also one that a timestamp cannot hold.
  kyt_checked_at           text,
  ofac_status              text        NOT NULL,
  no_conf                  boolean     NOT NULL,
  no_conf_state            text,
  double_spent_at          text,
  double_spend_txid        text,
  instant                  boolean     NOT NULL,
  instant_downgraded       boolean     NOT NULL,
  instant_received_max_usd numeric,
  -- It stood at a confirmed status once.
  confirmed_ever           boolean     NOT NULL,
  settlement_batch_id      text
);

-- A casino's list, newest first, with either filter. By -id and not by id: in the order of ids the primary key could
-- serve as well, and it would be walked through everybody else's deposits for a casino that has gone quiet.
CREATE INDEX deposits_of_entity ON deposits (entity_id, (-id));
CREATE INDEX deposits_of_entity_by_decision ON deposits (entity_id, decision, (-id));
CREATE INDEX deposits_of_entity_by_currency ON deposits (entity_id, currency, (-id));

-- Operators' pages are in the order of creation, so that a span of time is a span of the index. What nearly all
-- deposits share needs no index: the newest of them are found at once.
CREATE INDEX deposits_newest ON deposits (created_at DESC, id DESC);
CREATE INDEX deposits_newest_of_entity ON deposits (entity_id, created_at DESC, id DESC);
CREATE INDEX deposits_of_gambler ON deposits (gambler_ref, created_at DESC, id DESC);
CREATE INDEX deposits_by_status ON deposits (status, created_at DESC, id DESC)
  WHERE status NOT IN ('Confirmed', 'Timedout');
CREATE INDEX deposits_by_decision ON deposits (decision, created_at DESC, id DESC)
  WHERE decision IN ('returned', 'frozen');
CREATE INDEX deposits_by_kyt ON deposits (kyt_status, created_at DESC, id DESC) WHERE kyt_status <> 'passed';
CREATE INDEX deposits_by_ofac ON deposits (ofac_status, created_at DESC, id DESC)
  WHERE ofac_status IN ('hit', 'timed_out');

CREATE INDEX deposits_returning_player ON deposits (entity_id, gambler_ref)
  WHERE decision = 'accepted' AND confirmed_ever;
CREATE INDEX deposits_without_address ON deposits (currency, expires_at) WHERE wallet IS NULL;
CREATE INDEX deposits_to_settle ON deposits (entity_id, (-id))
  WHERE decision = 'accepted' AND NOT test;

-- Kept, so that nothing is counted or summed when it is read: a casino has at most four decisions × three currencies.
CREATE TABLE deposit_totals (
  entity_id      bigint  NOT NULL,
  decision       text    NOT NULL,
  currency       text    NOT NULL,
  deposits       bigint  NOT NULL CHECK (deposits >= 0),
  -- Of the accepted live ones.
  entity_net_usd numeric NOT NULL DEFAULT 0,
  PRIMARY KEY (entity_id, decision, currency)
);
