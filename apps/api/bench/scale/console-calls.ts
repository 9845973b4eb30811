import type { Deps } from '../../src/deps.ts';
import { FIRST_FRANCHISE, nameOf } from './book-shape.ts';

/** A payment from the middle of the books. */
type Sample = {
  paymentId: string;
  orderId: string;
  reference: string;
  lastFour: string;
  workOrder: number;
  customer: number;
  name: string;
  month: string;
};

/** Totals add up to ten thousand rows. */
export const TOTALS = new Set(['totals of a month']);

/** Staff's calls by their names in the results, for the largest office or for all. */
export async function consoleCalls(deps: Deps): Promise<Record<string, string>> {
  const sample = await pickSample(deps);
  const office = FIRST_FRANCHISE;
  const lastDay = new Date(Date.UTC(Number(sample.month.slice(0, 4)), Number(sample.month.slice(5)), 0));
  const days = `from=${sample.month}-01&to=${lastDay.toISOString().slice(0, 10)}`;
  const list = (name: string, filters = '') => `/office/${name}${filters && `?${filters}`}`;
  const ofOffice = (name: string, filters = '') =>
    list(name, `franchiseId=${office}${filters && `&${filters}`}`);
  const search = (name: string, text: string) => list(name, `search=${encodeURIComponent(text)}`);
  return {
    "everybody's payments": list('payments'),
    "everybody's payments of a month": list('payments', days),
    "everybody's declined payments": list('payments', 'state=declined'),
    "an office's payments": ofOffice('payments'),
    "an office's payments of a month": ofOffice('payments', days),
    'totals of a month': list('payments/summary', days),
    'page of a payment': `/office/payments/${sample.paymentId}`,
    'search by card and amount and day': search('payments', `${sample.lastFour} about $120 yesterday`),
    'search by card': search('payments', `card ${sample.lastFour}`),
    'search by work order': search('payments', `#${sample.workOrder}`),
    'search by reference': search('payments', `ref ${sample.reference}`),
    'search by order id': search('payments', sample.orderId),
    'search by payment id': search('payments', sample.paymentId),
    'search by email': search('payments', `payer${sample.customer}@example.com`),
    'search by name': search('payments', `customer ${sample.name}`),
    'search by amount': search('payments', '$120'),
    'search about an amount': search('payments', 'about $120'),
    'search by days': search('payments', 'last week'),
    'search by brand': search('payments', 'visa'),
    "everybody's invoices": list('invoices'),
    "everybody's open invoices": list('invoices', 'status=open'),
    "everybody's overdue invoices": list('invoices', 'status=overdue'),
    "everybody's invoices of a month": list('invoices', days),
    "an office's invoices": ofOffice('invoices'),
    'page of an invoice': `/office/invoices/${office}/${sample.workOrder}`,
    'invoices by work order': search('invoices', `#${sample.workOrder}`),
    'invoices by name': search('invoices', `customer ${sample.name}`),
    "everybody's customers": list('customers'),
    "an office's customers": ofOffice('customers'),
    'page of a customer': `/office/customers/${office}/${sample.customer}`,
    'customers by name': search('customers', `customer ${sample.name}`),
    'customers by email': search('customers', `owner${sample.customer}@example.com`),
  };
}

async function pickSample({ db }: Deps): Promise<Sample> {
  const { rows } = await db.pool.query<Sample>(
    `SELECT s.intent_id AS "paymentId", c.order_id AS "orderId", c.reference, s.last_four AS "lastFour",
            i.work_order_number AS "workOrder", u.number AS customer, ${nameOf('u.number')} AS name, to_char(s.at, 'YYYY-MM') AS month
       FROM (SELECT * FROM payment_share WHERE outcome = 'accepted' AND last_four IS NOT NULL AND franchise_id = $1
              ORDER BY at DESC LIMIT 100) AS s
       JOIN charge c ON c.id = s.charge_id
       JOIN charge_allocation a ON a.charge_id = c.id
       JOIN invoice i ON i.id = a.invoice_id
       JOIN location l ON l.id = i.location_id
       JOIN customer u ON u.id = l.customer_id
      -- Of a customer with few invoices: those of the largest are as many as there are.
      ORDER BY u.id DESC LIMIT 1`,
    [FIRST_FRANCHISE],
  );
  if (!rows[0]) throw new Error('the books have no payments');
  return rows[0];
}
