-- How much more an invoice owed after a refund than before: what was overpaid then is stored nowhere else. Null until the
-- refund is booked, where nothing of the invoice goes back, and for refunds booked before this column.
ALTER TABLE refund_line ADD COLUMN fell_due_cents bigint CHECK (fell_due_cents >= 0);

-- book_refunds sets it once; nothing else of a line changes.
DROP TRIGGER refund_lines_stay ON refund_line;
CREATE TRIGGER refund_lines_stay BEFORE DELETE ON refund_line FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refund_lines_keep_what_was_asked BEFORE UPDATE ON refund_line FOR EACH ROW
  WHEN (OLD.fell_due_cents IS NOT NULL OR to_jsonb(NEW) - 'fell_due_cents' <> to_jsonb(OLD) - 'fell_due_cents')
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refund_lines_begin_unbooked BEFORE INSERT ON refund_line FOR EACH ROW
  WHEN (NEW.fell_due_cents IS NOT NULL) EXECUTE FUNCTION refuse_change();

-- As before; it also stores what falls due by it.
CREATE OR REPLACE FUNCTION book_refunds() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  is_undone CONSTANT boolean := NEW.undone_at IS NOT NULL;
  sign CONSTANT integer := CASE WHEN NEW.undone_at IS NULL THEN 1 ELSE -1 END;
  line refund_line;
  was_due bigint;
BEGIN
  PERFORM FROM invoice WHERE id IN (SELECT invoice_id FROM refund_line WHERE refund_id = NEW.id) ORDER BY id FOR UPDATE;
  FOR line IN SELECT * FROM refund_line WHERE refund_id = NEW.id ORDER BY invoice_id LOOP
    INSERT INTO ledger_entry (charge_id, invoice_id, account, direction, amount_cents, reason)
    SELECT line.charge_id, line.invoice_id, part.account,
           CASE WHEN sign * part.debit_cents > 0 THEN 'debit' ELSE 'credit' END, abs(part.debit_cents),
           CASE WHEN is_undone THEN 'refund-undone:' ELSE 'refund:' END || NEW.id
      FROM (VALUES
        ('card', -(line.invoice_cents + line.tax_cents + line.services_cents + line.services_tax_cents + line.tip_cents)),
        (CASE line.effect WHEN 'credited' THEN 'credits' ELSE 'receivable' END, line.invoice_cents + line.tax_cents),
        ('services', line.services_cents),
        ('services-tax', line.services_tax_cents),
        ('tips', line.tip_cents)) AS part (account, debit_cents)
     WHERE part.debit_cents <> 0;
    CONTINUE WHEN line.invoice_cents + line.tax_cents = 0;
    was_due := (SELECT balance_cents FROM invoice WHERE id = line.invoice_id);
    IF line.effect = 'due-again' THEN
      UPDATE invoice SET paid_cents = paid_cents - sign * (line.invoice_cents + line.tax_cents),
                         paid_tax_cents = paid_tax_cents - sign * line.tax_cents
       WHERE id = line.invoice_id;
    ELSIF is_undone THEN
      UPDATE invoice SET paid_cents = paid_cents + line.invoice_cents + line.tax_cents,
                         paid_tax_cents = paid_tax_cents + line.tax_cents,
                         credited_cents = greatest(0, office_amount_cents - amount_cents - line.invoice_cents - line.tax_cents),
                         credited_tax_cents = greatest(0, office_tax_cents - tax_cents - line.tax_cents)
       WHERE id = line.invoice_id;
    ELSE
      UPDATE invoice SET paid_cents = paid_cents - line.invoice_cents - line.tax_cents,
                         paid_tax_cents = paid_tax_cents - line.tax_cents,
                         office_amount_cents = coalesce(office_amount_cents, amount_cents),
                         office_tax_cents = coalesce(office_tax_cents, tax_cents),
                         credit_basis_cents = coalesce(office_amount_cents, amount_cents),
                         credit_tax_basis_cents = coalesce(office_tax_cents, tax_cents),
                         credited_cents = coalesce(office_amount_cents - amount_cents, 0)
                                          + least(line.invoice_cents + line.tax_cents, amount_cents),
                         credited_tax_cents = coalesce(office_tax_cents - tax_cents, 0) + least(line.tax_cents, tax_cents)
       WHERE id = line.invoice_id;
    END IF;
    CONTINUE WHEN is_undone;
    UPDATE refund_line
       SET fell_due_cents = greatest(0, (SELECT balance_cents FROM invoice WHERE id = line.invoice_id) - was_due)
     WHERE refund_id = line.refund_id AND invoice_id = line.invoice_id;
  END LOOP;
  RETURN NULL;
END $$;
