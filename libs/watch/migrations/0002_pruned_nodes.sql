-- Up Migration

-- A node that no longer keeps the block that comes next.
ALTER TABLE chain_nodes
  DROP CONSTRAINT chain_nodes_state_check,
  ADD CONSTRAINT chain_nodes_state_check
    CHECK (state IN ('ok', 'unreachable', 'wrong', 'syncing', 'stale', 'pruned', 'elsewhere'));
