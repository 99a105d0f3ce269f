-- Up Migration

-- What an admin pinned is known for a day, whatever the providers say; what they said is held against what they say now.
ALTER TABLE last_pins ADD COLUMN anchor_by_admin boolean NOT NULL DEFAULT false;
