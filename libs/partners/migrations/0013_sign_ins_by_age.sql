-- Up Migration

-- Each sign-in that begins takes those away that took too long, and each session that ends those that were to confirm it.
CREATE INDEX console_sign_ins_created ON console_sign_ins (created_at);
CREATE INDEX console_sign_ins_confirms ON console_sign_ins (confirms) WHERE confirms IS NOT NULL;

-- Down Migration

DROP INDEX console_sign_ins_created, console_sign_ins_confirms;
