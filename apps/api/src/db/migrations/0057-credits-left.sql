-- Keeps with each invoice what is left of its payers' credits, so that an index finds what is overpaid in cash, however many
-- invoices have credits.

-- Waits for whoever is changing a credit, in the order in which the engine locks: the sums below must not miss one.
LOCK TABLE invoice IN ACCESS EXCLUSIVE MODE;
LOCK TABLE charge, refund IN SHARE ROW EXCLUSIVE MODE;
ALTER TABLE invoice ADD COLUMN credits_left_cents bigint NOT NULL DEFAULT 0;
UPDATE invoice SET credits_left_cents = credits_left(id)
 WHERE id IN (SELECT invoice_id FROM charge_allocation WHERE services_cents < 0);

-- As before, for credits too.
CREATE OR REPLACE FUNCTION sum_payments() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  sign integer := charge_counts(NEW.state)::integer - charge_counts(OLD.state)::integer;
BEGIN
  IF sign <> 0 THEN
    UPDATE invoice i
       SET paid_cents = i.paid_cents + sign * (a.invoice_cents + a.tax_cents),
           paid_tax_cents = i.paid_tax_cents + sign * a.tax_cents,
           credits_left_cents = i.credits_left_cents - sign * least(0, a.services_cents + a.services_tax_cents)
      FROM charge_allocation a
     WHERE a.charge_id = NEW.id AND i.id = a.invoice_id;
  END IF;
  RETURN NULL;
END $$;

-- As before; a refund takes its part of a credit back.
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
    IF line.services_cents + line.services_tax_cents < 0 THEN
      UPDATE invoice SET credits_left_cents = credits_left_cents + sign * (line.services_cents + line.services_tax_cents)
       WHERE id = line.invoice_id;
    END IF;
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

-- What an office has received too much: a payer's credit is no cash. Releases before this one go on asking credits_left.
CREATE OR REPLACE FUNCTION overpaid_cash(i invoice) RETURNS bigint LANGUAGE sql STABLE AS $$
SELECT greatest(0, i.paid_cents + i.paid_elsewhere_cents - i.amount_cents - i.credits_left_cents)
$$;

-- By what was paid, credits included; concurrent-indexes.ts has those that replace them.
DROP INDEX IF EXISTS overpaid_invoice_by_number, overpaid_invoice_of_all_by_number;

-- As before, for credits too.
CREATE OR REPLACE FUNCTION broken_balances(of_invoices bigint[]) RETURNS TABLE (rule text, subject text)
LANGUAGE sql STABLE AS $$
WITH owed AS MATERIALIZED (
  SELECT i.* FROM unnest(of_invoices) AS wanted (id) JOIN invoice i ON i.id = wanted.id
)
SELECT 'I9 the balance is what is left', concat('invoice ', i.id)
  FROM owed i
 CROSS JOIN LATERAL (
   SELECT coalesce(sum(part.invoice_cents + part.tax_cents), 0) AS due_cents, coalesce(sum(part.tax_cents), 0) AS tax_cents,
          coalesce(sum(part.credit_cents), 0) AS credit_cents
     FROM (SELECT a.invoice_cents, a.tax_cents, -least(0, a.services_cents + a.services_tax_cents) AS credit_cents
             FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
            WHERE a.invoice_id = i.id AND charge_counts(c.state)
            UNION ALL
           SELECT -l.invoice_cents, -l.tax_cents, least(0, l.services_cents + l.services_tax_cents)
             FROM refund_line l JOIN refund r ON r.id = l.refund_id
            WHERE l.invoice_id = i.id AND r.state = 'made' AND r.undone_at IS NULL) AS part) AS paid
 WHERE i.paid_cents <> paid.due_cents OR i.paid_tax_cents <> paid.tax_cents
    OR i.credits_left_cents <> paid.credit_cents
    OR i.balance_cents <> greatest(0, i.amount_cents - paid.due_cents - i.paid_elsewhere_cents)
UNION ALL
SELECT 'RH amount and tax follow the credits', concat('invoice ', i.id)
  FROM owed i
 WHERE i.credited_cents IS NOT NULL
   AND (i.amount_cents, i.tax_cents) IS DISTINCT FROM (
     credited_amount(i.office_amount_cents, i.credit_basis_cents, i.credited_cents),
     least(credited_amount(i.office_amount_cents, i.credit_basis_cents, i.credited_cents),
           credited_amount(i.office_tax_cents, i.credit_tax_basis_cents, i.credited_tax_cents)))
$$;
