-- What one person or key has asked for lately, by which their limits are counted.
CREATE INDEX refund_request_by_actor ON refund_request (actor, created_at);
