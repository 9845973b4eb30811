-- The rules of the books that a check found broken, until that check finds them kept again: the one every few minutes looks
-- at recent payments, the nightly one at all.
CREATE TABLE known_violation (
  found_by text NOT NULL CHECK (found_by IN ('check-books', 'check-all-books')),
  rule text NOT NULL,
  subject text NOT NULL,
  since timestamptz NOT NULL DEFAULT engine_now(),
  PRIMARY KEY (found_by, rule, subject)
);
