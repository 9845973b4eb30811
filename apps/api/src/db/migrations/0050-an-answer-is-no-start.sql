-- Storing the answer of a refund that was sent names its state without changing it. A dispute that came since forbids a start,
-- not the answer.
DROP TRIGGER refund_may_start ON refund;
CREATE TRIGGER refund_may_start BEFORE UPDATE OF state ON refund
  FOR EACH ROW WHEN (NEW.state = 'sending' AND OLD.state <> 'sending') EXECUTE FUNCTION refund_may_start();
