-- What a refund credits counts once, whether the office takes it off the invoice itself before or after the refund is booked. For
-- this, a line knows what the invoice asked when the refund was asked for, and an invoice keeps the sum of all that is credited.

-- Null where nothing is credited, and for refunds that had ended before.
ALTER TABLE refund_line ADD COLUMN uncredited_cents bigint, ADD COLUMN uncredited_tax_cents bigint;

CREATE FUNCTION credited_by_refunds(of_invoice bigint, OUT cents bigint, OUT tax_cents bigint) LANGUAGE sql STABLE AS $$
SELECT coalesce(sum(l.invoice_cents + l.tax_cents), 0)::bigint, coalesce(sum(l.tax_cents), 0)::bigint
  FROM refund_line l JOIN refund r ON r.id = l.refund_id
 WHERE l.invoice_id = of_invoice AND l.effect = 'credited' AND r.state = 'made' AND r.undone_at IS NULL
$$;

-- What the line's invoice asks, credits left out. What the office has taken off for this refund already belongs to it: the cash that
-- is overpaid, once the line's part of a payer's credit has gone back.
CREATE FUNCTION uncredited(line refund_line, OUT cents bigint, OUT tax_cents bigint) LANGUAGE sql STABLE AS $$
SELECT i.amount_cents + made.cents + taken.cents,
       i.tax_cents + made.tax_cents
       + least(taken.cents, greatest(0, CASE WHEN overpaid_cash(i) > 0 THEN i.paid_tax_cents - i.tax_cents
                                             ELSE -line.services_tax_cents END))
  FROM invoice i
 CROSS JOIN LATERAL credited_by_refunds(i.id) AS made
 CROSS JOIN LATERAL (
   SELECT greatest(0, i.paid_cents + i.paid_elsewhere_cents - i.amount_cents - i.credits_left_cents
                      + greatest(0, -(line.services_cents + line.services_tax_cents))) AS cents) AS taken
 WHERE i.id = line.invoice_id
$$;

ALTER TABLE refund_line DISABLE TRIGGER refund_lines_keep_what_was_asked;
UPDATE refund_line l SET (uncredited_cents, uncredited_tax_cents) = (SELECT u.cents, u.tax_cents FROM uncredited(l) AS u)
  FROM refund r
 WHERE r.id = l.refund_id AND l.effect = 'credited' AND NOT refund_has_ended(r.state);
ALTER TABLE refund_line ENABLE TRIGGER refund_lines_keep_what_was_asked;

-- Whatever is given, and for the release before, which doesn't know of it.
CREATE FUNCTION store_uncredited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT u.cents, u.tax_cents INTO NEW.uncredited_cents, NEW.uncredited_tax_cents
    FROM uncredited(NEW) AS u WHERE NEW.effect = 'credited';
  RETURN NEW;
END $$;
CREATE TRIGGER refund_lines_store_uncredited BEFORE INSERT ON refund_line FOR EACH ROW EXECUTE FUNCTION store_uncredited();

-- The basis from which the office's amount and what is credited come to this amount: the wanted one, if it does.
CREATE FUNCTION credit_basis(office bigint, wanted bigint, credited bigint, amount bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN credited_amount(office, wanted, credited) = amount THEN wanted ELSE amount + credited END $$;

-- Asks less of an invoice by what a refund credits: as if it had been booked when it was asked for, so that it doesn't matter when
-- the office takes it off itself. But the balance stays as it is, and no more is taken off than is credited.
CREATE FUNCTION credit_invoice(line refund_line) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  credit CONSTANT bigint := line.invoice_cents + line.tax_cents;
  was invoice;
  made record;
  office bigint;
  office_tax bigint;
  overpaid bigint;
  amount bigint;
  tax bigint;
BEGIN
  SELECT * INTO was FROM invoice WHERE id = line.invoice_id;
  SELECT * INTO made FROM credited_by_refunds(line.invoice_id);
  office := coalesce(was.office_amount_cents, was.amount_cents);
  office_tax := coalesce(was.office_tax_cents, was.tax_cents);
  overpaid := greatest(0, was.paid_cents + was.paid_elsewhere_cents - was.amount_cents);
  amount := greatest(0, was.amount_cents - credit,
                     least(credited_amount(office, line.uncredited_cents, made.cents),
                           was.amount_cents, was.amount_cents - credit + overpaid));
  -- Of what the office has taken off, no more than all was tax.
  tax := greatest(0, was.tax_cents - line.tax_cents,
                  least(credited_amount(office_tax, line.uncredited_tax_cents, made.tax_cents),
                        was.tax_cents, was.tax_cents - line.tax_cents + amount - (was.amount_cents - credit)));
  UPDATE invoice
     SET paid_cents = paid_cents - credit, paid_tax_cents = paid_tax_cents - line.tax_cents,
         office_amount_cents = office, office_tax_cents = office_tax,
         credited_cents = made.cents, credited_tax_cents = made.tax_cents,
         credit_basis_cents = credit_basis(office, line.uncredited_cents, made.cents, amount),
         credit_tax_basis_cents = credit_basis(office_tax, line.uncredited_tax_cents, made.tax_cents, tax)
   WHERE id = line.invoice_id;
END $$;

-- The reverse. Until now it was credited, too; credits of before migration 60 may have been cut down to what was left.
CREATE FUNCTION uncredit_invoice(line refund_line) RETURNS void LANGUAGE sql AS $$
UPDATE invoice i
   SET paid_cents = i.paid_cents + line.invoice_cents + line.tax_cents, paid_tax_cents = i.paid_tax_cents + line.tax_cents,
       credited_cents = made.cents, credited_tax_cents = made.tax_cents,
       credit_basis_cents = credit_basis(i.office_amount_cents, i.credit_basis_cents,
                                         made.cents + line.invoice_cents + line.tax_cents, i.amount_cents),
       credit_tax_basis_cents = credit_basis(i.office_tax_cents, i.credit_tax_basis_cents,
                                             made.tax_cents + line.tax_cents, i.tax_cents)
  FROM credited_by_refunds(line.invoice_id) AS made
 WHERE i.id = line.invoice_id
$$;

-- As before; what is credited is credit_invoice's.
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
      PERFORM uncredit_invoice(line);
    ELSE
      PERFORM credit_invoice(line);
    END IF;
    CONTINUE WHEN is_undone;
    UPDATE refund_line
       SET fell_due_cents = greatest(0, (SELECT balance_cents FROM invoice WHERE id = line.invoice_id) - was_due)
     WHERE refund_id = line.refund_id AND invoice_id = line.invoice_id;
  END LOOP;
  RETURN NULL;
END $$;

-- As before; what is credited is the sum of refunds, too.
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
 CROSS JOIN LATERAL credited_by_refunds(i.id) AS made
 WHERE i.credited_cents IS NOT NULL
   AND ((i.amount_cents, i.tax_cents) IS DISTINCT FROM (
          credited_amount(i.office_amount_cents, i.credit_basis_cents, i.credited_cents),
          least(credited_amount(i.office_amount_cents, i.credit_basis_cents, i.credited_cents),
                credited_amount(i.office_tax_cents, i.credit_tax_basis_cents, i.credited_tax_cents)))
        -- An invoice keeps this sum from its first refund that knows what it asked; before, credits were cut down to what was left.
        OR (i.credited_cents, i.credited_tax_cents) IS DISTINCT FROM (made.cents, made.tax_cents)
           AND EXISTS (SELECT FROM refund_line l JOIN refund r ON r.id = l.refund_id
                        WHERE l.invoice_id = i.id AND r.state = 'made' AND l.effect = 'credited'
                          AND l.uncredited_cents IS NOT NULL))
$$;
