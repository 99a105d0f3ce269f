-- Up Migration

-- Operators look for those who wait or were refused; most are verified.
CREATE INDEX kyc_players_by_state ON kyc_players (state, entity_id, gambler_ref) WHERE state <> 'verified';
