import type { Deps } from '../../src/deps.ts';
import { BENCH_SECRETS } from '../bench-portal.ts';
import type { Headers } from './measured-customers.ts';

export const OFFICE_HEADERS: Headers = { authorization: `Bearer ${BENCH_SECRETS.officeApiKey}` };

/** Somebody's payment out of the middle of the books. */
type Sample = {
  paymentId: string;
  franchiseId: number;
  orderId: string;
  reference: string;
  lastFour: string;
  workOrder: number;
  customer: number;
  month: string;
};

/** What staff ask of payments, by what it is called in the results: of one office, or of all of them. */
export async function consolePaymentCalls(deps: Deps): Promise<Record<string, string>> {
  const { rows } = await deps.db.pool.query<Sample>(`
    SELECT s.intent_id AS "paymentId", s.franchise_id AS "franchiseId", c.order_id AS "orderId", c.reference,
           s.last_four AS "lastFour", i.work_order_number AS "workOrder", l.customer_id AS customer,
           to_char(s.at, 'YYYY-MM') AS month
      FROM (SELECT * FROM payment_share WHERE outcome = 'accepted' AND last_four IS NOT NULL
             ORDER BY at DESC LIMIT 100) AS s
      JOIN charge c ON c.id = s.charge_id
      JOIN charge_allocation a ON a.charge_id = c.id
      JOIN invoice i ON i.id = a.invoice_id
      JOIN location l ON l.id = i.location_id
     -- Of a customer with few invoices: those of the largest are as many as there are.
     ORDER BY l.customer_id DESC LIMIT 1`);
  const [sample] = rows;
  if (!sample) throw new Error('the books have no payments');
  const { franchiseId, month } = sample;
  const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0))
    .toISOString()
    .slice(0, 10);
  const days = `from=${month}-01&to=${lastDay}`;
  const of = (filters: string, path = '/office/payments') => `${path}?franchiseId=${franchiseId}&${filters}`;
  const search = (text: string) => of(`search=${encodeURIComponent(text)}`);
  return {
    "an office's payments": of(''),
    "everybody's payments": '/office/payments',
    "an office's payments of a month": of(days),
    "an office's declined payments": of('state=declined'),
    'totals of a month': of(days, '/office/payments/summary'),
    'page of a payment': `/office/payments/${sample.paymentId}`,
    'search by card': search(`card ${sample.lastFour}`),
    'search by card and amount and day': search(`${sample.lastFour} about $120 yesterday`),
    'search by work order': search(`#${sample.workOrder}`),
    'search by reference': search(`ref ${sample.reference}`),
    'search by order id': search(sample.orderId),
    'search by payment id': search(sample.paymentId),
    'search by email': search(`payer${sample.customer}@example.com`),
    'search by name': search(`customer ${sample.customer}`),
    'search by amount': search('$120'),
    'search about an amount': search('about $120'),
    'search by days': search('last week'),
    'search by brand': search('visa'),
  };
}
