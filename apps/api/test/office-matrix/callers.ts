import { randomBytes } from 'node:crypto';
import type { OfficeEndpoint } from '@brightpane/contract/office-endpoints';
import { KEY_RIGHTS, type Right, ROLES, type Role } from '@brightpane/contract/office-rights';
import { sql } from 'drizzle-orm';
import { hashToken } from '../../src/crypto/hash-token.ts';
import { TEST_SECRETS, type TestApp } from '../build-test-app.ts';
import { signInUser } from '../factories/users.ts';
import { makeStaff, OFFICE_SETTINGS } from '../office/office-people.ts';

export const CALLERS = [
  ...ROLES,
  'key for one franchise',
  'key for all',
  'environment',
  'OPERATOR_KEY',
  'revoked key',
  'no credentials',
  'a customer’s token',
  'session of level password',
  'session of level enrol',
  'switched-off staff',
] as const;
export type Caller = (typeof CALLERS)[number];

/** Who holds each right, as agreed. Repeated here on purpose, so that a slip in the constant shows. */
const KEYS = ['key for one franchise', 'key for all', 'environment'] as const;
export const HOLDERS: Record<Right, readonly Caller[]> = {
  view: ['admin', 'finance', 'support', 'owner', 'clerk', 'viewer', ...KEYS],
  invite: ['admin', 'support', 'owner', 'clerk', ...KEYS],
  refund: ['admin', 'finance', 'owner', 'clerk', ...KEYS],
  approve: ['admin', 'finance', 'owner'],
  review: ['admin', 'finance', 'environment'],
  import: ['admin', 'owner', 'clerk', ...KEYS],
  settings: ['admin', 'owner', 'environment'],
  keys: ['admin', 'environment'],
  staff: ['admin', 'owner', 'environment', 'OPERATOR_KEY'],
  audit: ['admin', 'finance', 'owner', 'environment'],
  payouts: ['admin', 'finance', 'owner'],
  export: ['admin', 'finance', 'owner', 'clerk', ...KEYS],
};
export const SEE_ALL: readonly Caller[] = [
  'admin',
  'finance',
  'support',
  'key for all',
  'environment',
  'OPERATOR_KEY',
];
export const isKey = (caller: Caller) =>
  (['key for one franchise', 'key for all', 'environment', 'OPERATOR_KEY'] as Caller[]).includes(caller);
export const isPerson = (caller: Caller) => (ROLES as readonly string[]).includes(caller);

/** A caller that gets far enough for the call to validate its input. */
export function callerFor({ from, keys }: Pick<OfficeEndpoint, 'from' | 'keys'>): Caller {
  if (from === 'password') return 'session of level password';
  if (keys === 'only' || keys === 'operator-only') return 'environment';
  return 'admin';
}

/** Every kind of caller with their headers. Sessions are renewed for each row, since some rows end them. */
export async function makeCallers(portal: TestApp, { franchiseId }: { franchiseId: number }) {
  const staffIds = new Map<Caller, string>();
  for (const role of ROLES) staffIds.set(role, await makeMember(portal, role, franchiseId));
  const signingIn = await makeMember(portal, 'clerk', franchiseId);
  const off = await makeMember(portal, 'clerk', franchiseId);
  await portal.deps.db.query.execute(sql`UPDATE staff SET state = 'off' WHERE id = ${off}`);
  const keys = {
    'key for one franchise': await makeKey(portal, { franchiseId }),
    'key for all': await makeKey(portal, { franchiseId: null }),
    'revoked key': await makeKey(portal, { franchiseId: null, isRevoked: true }),
    environment: TEST_SECRETS.officeApiKey,
    OPERATOR_KEY: OFFICE_SETTINGS.OPERATOR_KEY,
  };
  const { token } = await signInUser(portal);

  return async function headersOf(caller: Caller): Promise<Record<string, string>> {
    if (caller === 'no credentials') return {};
    if (caller === 'a customer’s token') return bearer(token);
    if (caller in keys) return bearer(keys[caller as keyof typeof keys]);
    if (caller === 'session of level password')
      return { cookie: await openSession(portal, signingIn, 'password') };
    if (caller === 'session of level enrol') return { cookie: await openSession(portal, signingIn, 'enrol') };
    return { cookie: await openSession(portal, staffIds.get(caller) ?? off, 'full') };
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function makeMember(portal: TestApp, role: Role, franchiseId: number): Promise<string> {
  const isOffice = role === 'owner' || role === 'clerk' || role === 'viewer';
  const { staffId } = await makeStaff(portal, { role, franchiseIds: isOffice ? [franchiseId] : [] });
  return staffId;
}

async function openSession({ deps }: TestApp, staffId: string, level: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await deps.db.query.execute(sql`
    INSERT INTO office_session (token_hash, staff_id, level, method, expires_at)
    VALUES (${hashToken(token)}, ${staffId}, ${level}, 'totp',
            engine_now() + interval '5 minutes')`);
  return `__Host-office=${token}`;
}

async function makeKey(
  { deps }: TestApp,
  { franchiseId, isRevoked = false }: { franchiseId: number | null; isRevoked?: boolean },
): Promise<string> {
  const publicId = randomBytes(4).toString('hex');
  const key = `bpo_${publicId}_${randomBytes(32).toString('base64url')}`;
  await deps.db.query.execute(sql`
    INSERT INTO office_api_key (public_id, name, key_hash, franchise_id, rights, revoked_at)
    VALUES (${publicId}, 'A program', ${hashToken(key)}, ${franchiseId},
            ${sql.param([...KEY_RIGHTS])}::text[], ${isRevoked ? sql`engine_now()` : sql`NULL`})`);
  return key;
}
