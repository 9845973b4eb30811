import { type RunningEmulator, startEmulator } from '@brightpane/gateway-emulator/start-emulator';
import { atEnd } from '../../../../tools/bench/at-end.ts';
import { hashPassword } from '../../src/modules/auth/passwords/password-hash.ts';
import { GUEST } from '../../test/factories/guest.ts';
import { withClient } from './bench-database.ts';
import { BENCH_SECRETS } from './bench-portal.ts';

export const FRANCHISE = 70;
const EMAIL = 'payer@example.com';
const PASSWORD = 'measured again and again';

export const MERCHANT = {
  apiKey: '_emulatorPortalApiKey00000000000',
  pin: '1000',
  publicKey: '_emulatorPortalPublicKey0000000000000000000000',
};

/** A card provider for one bench, and the settings of a portal that uses it. */
export async function startProvider(): Promise<{
  emulator: RunningEmulator;
  settings: Record<string, string>;
}> {
  const emulator = await startEmulator();
  atEnd(() => emulator.close());
  const settings = {
    USAEPAY_URL: `${emulator.url}/api/v2`,
    USAEPAY_API_KEY: MERCHANT.apiKey,
    USAEPAY_PIN: MERCHANT.pin,
    USAEPAY_PUBLIC_KEY: MERCHANT.publicKey,
  };
  return { emulator, settings };
}

/** Makes the provider take that long for every later payment; 0 adds nothing. */
export async function slowDown({ url }: RunningEmulator, milliseconds: number): Promise<void> {
  await fetch(`${url}/_emulator/faults`, { method: 'DELETE' });
  if (milliseconds === 0) return;
  const fault = { fault: 'slow', seconds: milliseconds / 1000, times: 1_000_000, command: 'cc:authonly' };
  const answer = await fetch(`${url}/_emulator/faults`, { method: 'POST', body: JSON.stringify(fault) });
  if (!answer.ok) throw new Error(await answer.text());
}

/** The key that the browser's card field creates. */
export async function mintKey({ url }: RunningEmulator): Promise<string> {
  const response = await fetch(`${url}/api/v2/pub/payment_keys`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${MERCHANT.publicKey}:s2//`)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' } }),
  });
  return ((await response.json()) as { key: string }).key;
}

/** Work orders 1 to `count` of one franchise, all at the location of a person with an account. */
export async function fillPayable(databaseUrl: string, count: number): Promise<void> {
  const hash = await hashPassword(PASSWORD);
  await withClient(databaseUrl, async (client) => {
    await client.query(`INSERT INTO franchise (id, name, time_zone) VALUES (${FRANCHISE}, 'Bench', 'UTC')`);
    await client.query(`INSERT INTO customer (franchise_id, number, name) VALUES (${FRANCHISE}, 1, 'Bench')`);
    await client.query(`
      INSERT INTO location (franchise_id, number, customer_id, description, address_line1, city, state, zip_code, zip_key)
      SELECT ${FRANCHISE}, 1, id, 'Home', 'Maple Street 12', 'Springfield', 'IL', '62704', '62704' FROM customer
       WHERE franchise_id = ${FRANCHISE}`);
    await client.query(
      `INSERT INTO app_user (email, first_name, last_name, password_hash, email_confirmed_at)
       VALUES ($1, 'Ana', 'Ruiz', $2, now())`,
      [EMAIL, hash],
    );
    await client.query(
      `INSERT INTO user_location (user_id, location_id, linked_at)
       SELECT u.id, l.id, now() FROM app_user u, location l WHERE u.email = $1 AND l.franchise_id = ${FRANCHISE}`,
      [EMAIL],
    );
    await client.query(
      `INSERT INTO invoice (franchise_id, work_order_number, location_id, service, amount_cents, tax_cents,
                            tax_rate_ppm, tips_enabled)
       SELECT ${FRANCHISE}, wanted, location.id, 'Windows', 10825, 825, 82500, true
         FROM location, generate_series(1, $1) AS wanted WHERE location.franchise_id = ${FRANCHISE}`,
      [count],
    );
  });
  await takeStatistics(databaseUrl);
}

/**
 * Does what autovacuum does within a minute of the first payments. Until then, Postgres plans for the empty tables that
 * there were, and scans tables that aren't empty any more.
 */
export async function takeStatistics(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) => client.query('VACUUM ANALYZE'));
}

export type Payer = {
  payAsGuest(workOrder: number, key: string): Promise<void>;
  paySeveral(workOrders: number[]): Promise<void>;
};

/** A payer, with an account's saved card or as a guest with a new card. */
export async function signInPayer(urls: string[], emulator: RunningEmulator): Promise<Payer> {
  let call = 0;
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    // Instances take turns.
    const response = await fetch(`${urls[call++ % urls.length]}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-apisecret': BENCH_SECRETS.apiSecret, ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const { accessToken } = await post('/authentication/login', { email: EMAIL, password: PASSWORD });
  const headers = { authorization: `Bearer ${accessToken}` };
  const card = { maskedCard: '4000xxxxxxxx2224', street: 'Maple Street 12', postalCode: '62704' };
  await post('/usaepay/portal/paymentmethods', { ...card, paymentKey: await mintKey(emulator) }, headers);
  const saved = await fetch(`${urls[0]}/api/usaepay/portal/paymentmethods`, {
    headers: { 'x-apisecret': BENCH_SECRETS.apiSecret, ...headers },
  });
  const [{ id: paymentMethodId }] = (await saved.json()) as [{ id: string }];
  return {
    async payAsGuest(workOrderNumber, paymentKey) {
      await post('/usaepay/guestsale', {
        franchiseId: FRANCHISE,
        workOrderNumber,
        ...GUEST,
        zipCode: GUEST.postalCode,
        paymentKey,
        legalAccepted: true,
      });
    },
    async paySeveral(workOrders) {
      const lines = workOrders.map((workOrderNumber) => ({ franchiseId: FRANCHISE, workOrderNumber }));
      await post(
        '/usaepay/customerportalsale',
        { paymentMethodId, legalAccepted: true, workOrders: lines },
        headers,
      );
    },
  };
}
