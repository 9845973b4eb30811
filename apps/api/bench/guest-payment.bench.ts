import { performance } from 'node:perf_hooks';
import { type RunningEmulator, startEmulator } from '@brightpane/gateway-emulator/start-emulator';
import { cents } from '@brightpane/money/cents';
import pg from 'pg';
import type { BenchFigure } from '../../../tools/bench.ts';
import { createUsaepayGateway } from '../src/gateway/usaepay-gateway.ts';
import { BENCH_SECRETS, type BenchPortal, withBenchPortal } from './bench-portal.ts';

const FRANCHISE = 7;
const MERCHANT = {
  apiKey: '_emulatorPortalApiKey00000000000',
  pin: '1000',
  publicKey: '_emulatorPortalPublicKey0000000000000000000000',
};

/** What a guest's payment costs on top of the provider's own time. */
export default async function guestPaymentBench({ short }: { short: boolean }): Promise<BenchFigure[]> {
  const payments = short ? 100 : 500;
  const emulator = await startEmulator();
  const apiUrl = `${emulator.url}/api/v2`;
  const settings = {
    USAEPAY_URL: apiUrl,
    USAEPAY_API_KEY: MERCHANT.apiKey,
    USAEPAY_PIN: MERCHANT.pin,
    USAEPAY_PUBLIC_KEY: MERCHANT.publicKey,
  };
  try {
    return await withBenchPortal(settings, async (portal) => {
      await makeInvoices(portal, payments);
      const keys = await mintKeys(emulator, 2 * payments);
      const paid = await timeEach(payments, (index) => pay(portal, index + 1, keys[index] ?? ''));
      const gateway = createUsaepayGateway({ baseUrl: apiUrl, keys: MERCHANT });
      const asked = await timeEach(payments, async (index) => {
        const outcome = await gateway.authorise({
          orderId: `bench-${index}`,
          amountCents: cents(108_25),
          card: { paymentKey: keys[payments + index] ?? '' },
          billing: {},
          description: 'bench',
          millisecondsLeft: () => 10_000,
        });
        if (outcome.kind !== 'approved') throw new Error(outcome.kind);
      });
      return [
        { name: 'guest payment, median', value: median(paid), unit: 'ms' },
        { name: 'the provider’s part of it, median', value: median(asked), unit: 'ms' },
        {
          name: 'guest payment on top of the provider, median',
          value: median(paid) - median(asked),
          unit: 'ms',
          limit: { atMost: 25 },
        },
      ];
    });
  } finally {
    await emulator.close();
  }
}

async function makeInvoices({ databaseUrl }: BenchPortal, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`INSERT INTO franchise (id, name, time_zone) VALUES (${FRANCHISE}, 'Bench', 'UTC')`);
    await client.query(`INSERT INTO customer (franchise_id, number, name) VALUES (${FRANCHISE}, 1, 'Bench')`);
    await client.query(`
      INSERT INTO location (franchise_id, number, customer_id, description, address_line1, city, state, zip_code, zip_key)
      SELECT ${FRANCHISE}, 1, id, 'Home', 'Maple Street 12', 'Springfield', 'IL', '62704', '62704' FROM customer`);
    await client.query(
      `INSERT INTO invoice (franchise_id, work_order_number, location_id, service, amount_cents, tax_cents,
                            tax_rate_ppm, tips_enabled)
       SELECT ${FRANCHISE}, wanted, location.id, 'Windows', 10825, 825, 82500, true
         FROM location, generate_series(1, $1) AS wanted`,
      [count],
    );
  } finally {
    await client.end();
  }
}

async function mintKeys({ url }: RunningEmulator, count: number): Promise<string[]> {
  const authorization = `Basic ${btoa(`${MERCHANT.publicKey}:s2//`)}`;
  const keys: string[] = [];
  while (keys.length < count) {
    const response = await fetch(`${url}/api/v2/pub/payment_keys`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' } }),
    });
    keys.push(((await response.json()) as { key: string }).key);
  }
  return keys;
}

async function pay({ url }: BenchPortal, workOrderNumber: number, paymentKey: string): Promise<void> {
  const response = await fetch(`${url}/api/usaepay/guestsale`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-apisecret': BENCH_SECRETS.apiSecret },
    body: JSON.stringify({
      franchiseId: FRANCHISE,
      workOrderNumber,
      firstName: 'Ana',
      lastName: 'Ruiz',
      address: 'Maple Street 12',
      city: 'Springfield',
      state: 'IL',
      postalCode: '62704',
      paymentKey,
      legalAccepted: true,
    }),
  });
  if (response.status !== 200) throw new Error(await response.text());
  await response.arrayBuffer();
}

async function timeEach(count: number, work: (index: number) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    await work(index);
    times.push(performance.now() - start);
  }
  return times;
}

function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
