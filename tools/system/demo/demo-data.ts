import pg from 'pg';
import { loadDemo } from '../../../demo/load-demo.ts';
import { merchantKeys } from '../merchant-keys.ts';
import type { System } from '../start-system.ts';
import { tellDemoDay } from './demo-day.ts';
import { makeDemoPayments } from './demo-payments.ts';
import { DEMO_SIGN_IN, makeDemoSignIn } from './demo-sign-in.ts';

export type Demo = {
  /** An invoice that can be looked up and paid now. */
  invoice: { franchiseId: number; workOrderNumber: number; zipCode: string } | undefined;
  signIn: typeof DEMO_SIGN_IN | undefined;
};

/** Loads the demo into an empty database, through the portal's own calls. Leaves any other database alone. */
export async function loadDemoData(
  system: System,
  secrets: { officeApiKey: string; apiSecret: string },
): Promise<void> {
  const { databaseUrl, portalUrl, emulatorUrl, mailboxUrl } = system;
  const [found] = await query<{ isEmpty: boolean }>(
    databaseUrl,
    'SELECT NOT EXISTS (SELECT FROM invoice) AND NOT EXISTS (SELECT FROM app_user) AS "isEmpty"',
  );
  if (!found?.isEmpty) return;
  const today = new Date().toISOString().slice(0, 10);
  await loadDemo({
    portalUrl,
    officeApiKey: secrets.officeApiKey,
    today,
    ...(emulatorUrl && { franchiseKeys: await merchantKeys(emulatorUrl, 'west') }),
  });
  // Making the account needs the link in a mail, which we can only read from our own mailbox.
  if (!mailboxUrl) return;
  await makeDemoSignIn({ portalUrl, mailboxUrl, ...secrets });
  // With a provider of their own, people make the payments themselves.
  if (!emulatorUrl) return;
  await makeDemoPayments({ portalUrl, emulatorUrl, ...secrets });
  await tellDemoDay({ portalUrl, mailboxUrl, emulatorUrl, today, ...secrets });
}

/** The parts of the demo that this database can show. */
export async function findDemo(databaseUrl: string): Promise<Demo> {
  const [invoice] = await query<NonNullable<Demo['invoice']>>(
    databaseUrl,
    `SELECT i.franchise_id AS "franchiseId", i.work_order_number::int AS "workOrderNumber", l.zip_code AS "zipCode"
       FROM invoice i JOIN location l ON l.id = i.location_id
      WHERE i.balance_cents > 0 AND l.zip_key IS NOT NULL
      ORDER BY i.tips_enabled DESC, i.id LIMIT 1`,
  );
  const accounts = await query(databaseUrl, 'SELECT FROM app_user WHERE email = $1', [DEMO_SIGN_IN.email]);
  return { invoice, signIn: accounts.length > 0 ? DEMO_SIGN_IN : undefined };
}

async function query<T extends pg.QueryResultRow>(
  databaseUrl: string,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
