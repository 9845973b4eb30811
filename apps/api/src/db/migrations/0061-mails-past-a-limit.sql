-- Asked for at an address that had asked for as many mails as it may: it gets a mailbox the first mail of the hour only. The
-- release before this one asks without it, and answers such requests like any other.
ALTER TABLE mail_request ADD COLUMN is_past_limit boolean NOT NULL DEFAULT false;
CREATE INDEX mail_request_by_turn ON mail_request (is_past_limit, id);
