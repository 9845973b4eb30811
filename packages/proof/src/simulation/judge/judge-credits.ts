import type { SimulatedRefund } from '../office/refunds-of.ts';
import type { SimulationRig } from '../rig.ts';

type Booked = {
  orderId: string;
  /** The payer's credit (negative), and what was paid in all: invoice, tax and the credit. */
  creditCents: number;
  paidCents: number;
  /** What the ledger says was refunded of both. */
  backOfCreditCents: number;
  backCents: number;
  refunds: number;
};

/**
 * A refund returns a payer's credit in proportion to the money; otherwise the wrong amount would be due again. Rounding may
 * shift a cent for each refund.
 */
export async function judgeCredits(
  { admin }: Pick<SimulationRig, 'admin'>,
  refunds: readonly SimulatedRefund[],
): Promise<string[]> {
  const { rows } = await admin.query<Booked>(
    `SELECT c.order_id AS "orderId", (a.services_cents + a.services_tax_cents)::integer AS "creditCents",
            (a.invoice_cents + a.tax_cents + a.services_cents + a.services_tax_cents)::integer AS "paidCents",
            coalesce(sum(e.debit) FILTER (WHERE e.account IN ('services', 'services-tax')), 0)::integer
              AS "backOfCreditCents",
            coalesce(-sum(e.debit) FILTER (WHERE e.account IN ('card', 'tips')), 0)::integer AS "backCents",
            (SELECT count(*)::integer FROM refund r WHERE r.charge_id = c.id) AS refunds
       FROM charge c JOIN charge_allocation a ON a.charge_id = c.id
       LEFT JOIN LATERAL (
         SELECT l.account, CASE l.direction WHEN 'debit' THEN l.amount_cents ELSE -l.amount_cents END AS debit
           FROM ledger_entry l
          WHERE l.charge_id = c.id AND l.invoice_id = a.invoice_id AND l.reason LIKE 'refund%') e ON true
      WHERE c.id = ANY($1) AND a.services_cents < 0
      GROUP BY c.id, a.invoice_id, a.charge_id`,
    [[...new Set(refunds.map(({ chargeId }) => chargeId))]],
  );
  return rows.filter(isOff).map(({ orderId, creditCents, paidCents, backOfCreditCents, backCents }) => {
    const whole = `${-creditCents} taken off ${paidCents - creditCents}`;
    return `${orderId} gave back ${backCents}, and ${-backOfCreditCents} of the ${whole}`;
  });
}

const isOff = ({ creditCents, paidCents, backOfCreditCents, backCents, refunds }: Booked): boolean =>
  Math.abs(backOfCreditCents * paidCents - creditCents * backCents) > (refunds + 1) * paidCents;
