-- Refunds that something is still to be done about, by whom or by what: counted for status and metrics, however many have
-- ended.
CREATE INDEX refund_left ON refund (state) WHERE closed_at IS NULL AND state NOT IN ('made', 'withdrawn');
-- The provider's refunds that nobody owns.
CREATE INDEX seen_refund_unclaimed ON seen_refund (order_id) WHERE refund_id IS NULL AND type = 'C';
