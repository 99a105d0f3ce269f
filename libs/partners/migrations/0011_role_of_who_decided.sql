-- Up Migration

-- As what somebody decided: his provider may take the role away. Null: decided by a release that did not keep it.
ALTER TABLE approvals ADD COLUMN decided_role text;

-- Down Migration

ALTER TABLE approvals DROP COLUMN decided_role;
