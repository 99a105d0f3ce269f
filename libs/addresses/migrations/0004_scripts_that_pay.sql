-- Up Migration

-- Those that nothing can be paid to all bear the same empty script: with them in the index, and most addresses of that
-- kind, the planner would rather read the whole table.
CREATE INDEX pool_addresses_paid_by ON pool_addresses (script) WHERE script <> '';
DROP INDEX pool_addresses_of_script;
