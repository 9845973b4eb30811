import { createHash, randomUUID } from 'node:crypto';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import pg from 'pg';

/**
 * The least that can take a payment: the portal's rows, in three statements (claim, accept, captured) around two calls
 * of the provider. No framework, validation, pricing, locks, leases or triggers.
 */
const { DATABASE_URL, USAEPAY_URL = '', USAEPAY_API_KEY = '', USAEPAY_PIN = '' } = process.env;

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const agent = new Agent({ keepAlive: true });

const CLAIM = `
  WITH invoice AS (
    SELECT id, version, amount_cents, tax_cents FROM invoice WHERE franchise_id = $1 AND work_order_number = $2
  ), intent AS (
    INSERT INTO payment_intent (kind, idem_scope, idem_key, request_hash, deadline_at, payer_email)
    VALUES ('guest', 'guest', $3, $3, now() + interval '1 minute', 'ana@example.com') RETURNING id
  ), claim AS (
    INSERT INTO invoice_claim (invoice_id, intent_id) SELECT invoice.id, intent.id FROM invoice, intent
  ), charge AS (
    INSERT INTO charge (intent_id, merchant_account_id, amount_cents, order_id)
    SELECT intent.id, (SELECT min(id) FROM merchant_account), invoice.amount_cents, $3 FROM invoice, intent
    RETURNING id, intent_id
  )
  INSERT INTO charge_allocation (charge_id, invoice_id, invoice_cents, tax_cents, services_cents, services_tax_cents,
                                 tip_cents, priced_version)
  SELECT charge.id, invoice.id, invoice.amount_cents - invoice.tax_cents, invoice.tax_cents, 0, 0, 0, invoice.version
    FROM charge, invoice
  RETURNING charge_id AS "chargeId", invoice_id AS "invoiceId", (SELECT intent_id FROM charge) AS "intentId"`;

const ACCEPT = `
  WITH accepted AS (
    UPDATE charge SET state = 'accepted', transaction_key = $2, reference = $3, masked_card = 'xxxx2224',
                      card_brand = 'Visa', accepted_at = now(), next_try_at = now()
     WHERE id = $1 RETURNING id, intent_id, amount_cents
  ), decided AS (
    UPDATE payment_intent SET state = 'accepted', decided_at = now(),
           outcome = jsonb_build_object('code', 'paid', 'amount', '108.25', 'references', jsonb_build_array($3::text))
     WHERE id = $4
  ), ended AS (
    UPDATE invoice_claim SET state = 'paid' WHERE invoice_id = $5 AND state = 'live'
  ), paid AS (
    UPDATE invoice SET paid_cents = amount_cents, paid_tax_cents = tax_cents, version = version + 1
     WHERE id = $5 RETURNING id, franchise_id, amount_cents
  ), shared AS (
    INSERT INTO payment_share (charge_id, franchise_id, intent_id, at, outcome, amount_cents, tip_cents, services_cents,
                               brand, last_four)
    SELECT $1, paid.franchise_id, $4, now(), 'accepted', paid.amount_cents, 0, 0, 'Visa', '2224' FROM paid
  )
  INSERT INTO ledger_entry (charge_id, invoice_id, account, direction, amount_cents, reason, franchise_id)
  SELECT $1, paid.id, entry.account, entry.direction, paid.amount_cents, 'payment', paid.franchise_id
    FROM paid, (VALUES ('card', 'debit'), ('receivable', 'credit')) AS entry (account, direction)`;

const CAPTURED = `
  UPDATE charge SET state = 'captured', capture_sent_at = now(), captured_at = now(), next_try_at = NULL WHERE id = $1`;

type Claimed = { chargeId: string; invoiceId: string; intentId: string };

async function pay({ franchiseId, workOrderNumber, paymentKey }: Record<string, unknown>): Promise<void> {
  const order = `bare00-${randomUUID().replaceAll('-', '').slice(0, 24)}`;
  const claimed = await pool.query<Claimed>({
    name: 'claim',
    text: CLAIM,
    values: [franchiseId, workOrderNumber, order],
  });
  const { chargeId, invoiceId, intentId } = claimed.rows[0] ?? fail();
  const held = await ask({
    command: 'cc:authonly',
    payment_key: paymentKey,
    amount: '108.25',
    orderid: order,
  });
  const values = [chargeId, held.key, held.refnum, intentId, invoiceId];
  await pool.query({ name: 'accept', text: ACCEPT, values });
  await ask({ command: 'cc:capture', trankey: held.key });
  await pool.query({ name: 'captured', text: CAPTURED, values: [chargeId] });
}

function fail(): never {
  throw new Error('there is no such work order');
}

function ask(body: object): Promise<Record<string, unknown>> {
  const seed = randomUUID();
  const hash = createHash('sha256').update(`${USAEPAY_API_KEY}${seed}${USAEPAY_PIN}`).digest('hex');
  const options = {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${btoa(`${USAEPAY_API_KEY}:s2/${seed}/${hash}`)}`,
    },
  };
  return new Promise((resolve, reject) => {
    request(`${USAEPAY_URL}/transactions`, options, (response) => {
      json(response).then((answer) => resolve(answer as Record<string, unknown>), reject);
    })
      .on('error', reject)
      .end(JSON.stringify(body));
  });
}

const server = createServer(async (incoming, response) => {
  try {
    await pay((await json(incoming)) as Record<string, unknown>);
    response.setHeader('content-type', 'application/json').end('{}');
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});

server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
