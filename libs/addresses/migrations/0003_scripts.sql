-- Up Migration

-- What an output bears that pays to the address: watchers find payments by it. Empty where nothing can be paid to.
ALTER TABLE pool_addresses ADD COLUMN script text;
CREATE INDEX pool_addresses_of_script ON pool_addresses (script);
CREATE INDEX pool_addresses_without_script ON pool_addresses (id) WHERE script IS NULL;
