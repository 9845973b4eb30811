-- How far back the look that confirms an account's first one reads, by the list's own clock: the first one's newest row, less what
-- that list may have lacked. Orders made since say nothing about that time. Null once confirmed, and for looks stored before.
ALTER TABLE account_look ADD COLUMN confirm_back timestamptz;
