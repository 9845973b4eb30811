-- How far back the look that confirms an account's first one reads, by the list's own clock: the first one's newest row, less what
-- that list may have lacked. Orders made since say nothing about that time. Null once confirmed, and for looks stored before.
ALTER TABLE account_look ADD COLUMN confirm_back timestamptz;
-- Since when an account's list has to be compared after a restore, by itself: the provider refused its keys while the other
-- accounts were compared. Null once its list was read in full.
ALTER TABLE account_look ADD COLUMN unread_since timestamptz;
