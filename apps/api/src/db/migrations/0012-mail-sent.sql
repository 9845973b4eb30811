-- Whether any mail has gone out lately is asked every minute.
CREATE INDEX outgoing_mail_by_sending ON outgoing_mail (sent_at) WHERE sent_at IS NOT NULL;
