-- Up Migration

-- Which database the numbers were given in. A copy of it that was put back finds itself to be another one, and knows that
-- it has forgotten some.
CREATE TABLE numbers_given_in (
  only_one  boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  identity  text NOT NULL,
  -- When numbers were last raised past what may have been given and is forgotten.
  raised_at timestamptz
);
