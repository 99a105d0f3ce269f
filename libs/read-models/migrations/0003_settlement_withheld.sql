-- Up Migration

-- Why settlement leaves an accepted live deposit out, or 'released'. The projection's second version fills it.
ALTER TABLE deposits ADD COLUMN settlement_withheld text;

CREATE INDEX deposits_withheld ON deposits (entity_id, (-id))
  WHERE decision = 'accepted' AND NOT test AND settlement_withheld IS NOT NULL;
