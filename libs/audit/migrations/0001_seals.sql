-- Up Migration

-- What signs the seals of this installation. The private half is encrypted under SECRETS_KEY.
CREATE TABLE audit_keys (
  id          int         PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  public_key  text        NOT NULL,
  private_key bytea       NOT NULL,
  made_at     timestamptz NOT NULL DEFAULT now()
);

-- Each seal as it was signed; text, so that its bytes stay what they were.
CREATE TABLE audit_seals (
  number    bigint      PRIMARY KEY,
  sealed_at timestamptz NOT NULL,
  position  text        COLLATE "C" NOT NULL,
  seal      text        NOT NULL
);

-- Where each stream ended when it was sealed: a row only with the seals at which that was new. The heads of a seal are, of
-- each stream, the row with the highest number up to its own. Rows above the last seal belong to none: one was begun.
CREATE TABLE audit_heads (
  stream   text   COLLATE "C" NOT NULL,
  seal     bigint NOT NULL,
  revision bigint NOT NULL,
  hash     text   NOT NULL,
  PRIMARY KEY (stream, seal)
);

CREATE INDEX audit_heads_of_seal ON audit_heads (seal);

CREATE FUNCTION refuse_change_of_seals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'seals are only added to' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_seals();
ALTER TABLE audit_seals ENABLE ALWAYS TRIGGER only_added_to;

-- What auditors asked for and what came of it, on whatever instance.
CREATE TABLE audit_jobs (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind       text        NOT NULL CHECK (kind IN ('verify', 'seal')),
  asked      jsonb       NOT NULL,
  asked_by   text        NOT NULL,
  state      text        NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  progress   jsonb       NOT NULL DEFAULT '{}',
  findings   jsonb       NOT NULL DEFAULT '[]',
  result     jsonb,
  asked_at   timestamptz NOT NULL DEFAULT now(),
  ended_at   timestamptz
);

CREATE INDEX audit_jobs_to_do ON audit_jobs (id) WHERE state IN ('waiting', 'running');
