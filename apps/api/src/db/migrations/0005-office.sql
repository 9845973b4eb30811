-- What the office's status counts, on indexes that hold only what is open.
CREATE INDEX outgoing_mail_given_up ON outgoing_mail (created_at)
  WHERE next_try_at IS NULL AND sent_at IS NULL AND cancelled_at IS NULL;
