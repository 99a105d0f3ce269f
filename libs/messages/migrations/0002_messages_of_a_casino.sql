-- Up Migration

-- A name of a player is its casino's alone: whoever erases one must not touch another's. Null on what was there before.
ALTER TABLE outgoing_messages ADD COLUMN entity_id bigint;
