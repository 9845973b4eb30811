-- Several credited refunds of one invoice may be on their way at once. How much of a payer's credit that the office copied has gone
-- back by the time one is booked, nobody knows when it is asked for: so a line keeps what that is reckoned from.

-- What was overpaid beyond payers' credits, before any refund gave a part of those back; below zero where there was less. Null where
-- nothing is credited, and for refunds of before: those are booked as they would have been.
ALTER TABLE refund_line ADD COLUMN copied_cents bigint, ADD COLUMN copied_tax_cents bigint;

-- What credited refunds have taken back of the payers' credits on an invoice.
CREATE FUNCTION credits_returned(of_invoice bigint, OUT cents bigint, OUT tax_cents bigint) LANGUAGE sql STABLE AS $$
SELECT coalesce(-sum(least(0, l.services_cents + l.services_tax_cents)), 0)::bigint,
       coalesce(-sum(least(0, l.services_tax_cents)), 0)::bigint
  FROM refund_line l JOIN refund r ON r.id = l.refund_id
 WHERE l.invoice_id = of_invoice AND l.effect = 'credited' AND r.state = 'made' AND r.undone_at IS NULL
$$;

-- The tax in what is left of the payers' credits on an invoice.
CREATE FUNCTION credits_tax_left(of_invoice bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
SELECT (coalesce((SELECT -sum(least(0, a.services_tax_cents))
                    FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
                   WHERE a.invoice_id = of_invoice AND charge_counts(c.state)), 0)
      + coalesce((SELECT sum(least(0, l.services_tax_cents))
                    FROM refund_line l JOIN refund r ON r.id = l.refund_id
                   WHERE l.invoice_id = of_invoice AND r.state = 'made' AND r.undone_at IS NULL), 0))::bigint
$$;

-- Whatever is given, and for the release before, which doesn't know of it. `uncredited` is what the invoice asks with nothing credited.
CREATE OR REPLACE FUNCTION store_uncredited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT i.amount_cents + made.cents, i.tax_cents + made.tax_cents,
         i.paid_cents + i.paid_elsewhere_cents - i.amount_cents - i.credits_left_cents - back.cents,
         i.paid_tax_cents - i.tax_cents - credits_tax_left(i.id) - back.tax_cents
    INTO NEW.uncredited_cents, NEW.uncredited_tax_cents, NEW.copied_cents, NEW.copied_tax_cents
    FROM invoice i
   CROSS JOIN LATERAL credited_by_refunds(i.id) AS made
   CROSS JOIN LATERAL credits_returned(i.id) AS back
   WHERE i.id = NEW.invoice_id AND NEW.effect = 'credited';
  RETURN NEW;
END $$;

-- As before; what the office has taken off is reckoned now, when all that went back is known.
CREATE OR REPLACE FUNCTION credit_invoice(line refund_line) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  credit CONSTANT bigint := line.invoice_cents + line.tax_cents;
  was invoice;
  made record;
  back record;
  taken bigint;
  asked bigint;
  asked_tax bigint;
  office bigint;
  office_tax bigint;
  overpaid bigint;
  amount bigint;
  tax bigint;
BEGIN
  SELECT * INTO was FROM invoice WHERE id = line.invoice_id;
  SELECT * INTO made FROM credited_by_refunds(line.invoice_id);
  SELECT * INTO back FROM credits_returned(line.invoice_id);
  taken := greatest(0, coalesce(line.copied_cents + back.cents, 0));
  asked := line.uncredited_cents + taken;
  asked_tax := line.uncredited_tax_cents + least(taken, greatest(0, coalesce(line.copied_tax_cents + back.tax_cents, 0)));
  office := coalesce(was.office_amount_cents, was.amount_cents);
  office_tax := coalesce(was.office_tax_cents, was.tax_cents);
  overpaid := greatest(0, was.paid_cents + was.paid_elsewhere_cents - was.amount_cents);
  amount := greatest(0, was.amount_cents - credit,
                     least(credited_amount(office, asked, made.cents),
                           was.amount_cents, was.amount_cents - credit + overpaid));
  -- Of what the office has taken off, no more than all was tax.
  tax := greatest(0, was.tax_cents - line.tax_cents,
                  least(credited_amount(office_tax, asked_tax, made.tax_cents),
                        was.tax_cents, was.tax_cents - line.tax_cents + amount - (was.amount_cents - credit)));
  UPDATE invoice
     SET paid_cents = paid_cents - credit, paid_tax_cents = paid_tax_cents - line.tax_cents,
         office_amount_cents = office, office_tax_cents = office_tax,
         credited_cents = made.cents, credited_tax_cents = made.tax_cents,
         credit_basis_cents = credit_basis(office, asked, made.cents, amount),
         credit_tax_basis_cents = credit_basis(office_tax, asked_tax, made.tax_cents, tax)
   WHERE id = line.invoice_id;
END $$;

-- Only the trigger function above called it, in every release.
DROP FUNCTION uncredited(refund_line);
