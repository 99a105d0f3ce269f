-- Up Migration

-- An address is as long as a partner writes it, and an entry of an index is not: a row that does not fit stops its
-- projection for everybody.
DROP INDEX returns_of_address;
CREATE INDEX returns_of_address ON returns (left(lower(address), 255));
