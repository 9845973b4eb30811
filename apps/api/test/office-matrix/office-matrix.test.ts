import { OFFICE_ENDPOINTS, type OfficeEndpoint } from '@brightpane/contract/office-endpoints';
import type { Right } from '@brightpane/contract/office-rights';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { customer } from '../../src/db/schema/franchises.ts';
import { renewInvitation } from '../../src/modules/invitations/invitations.queries.ts';
import { fingerprint } from '../books/fingerprint.ts';
import { useTestApp } from '../build-test-app.ts';
import { makeInvoice } from '../factories/invoices.ts';
import { makePayment } from '../factories/payments/decided-payments.ts';
import { refundAll } from '../factories/refund-rows.ts';
import { linkCustomer, makeUser } from '../factories/users.ts';
import { importRows, officeRow } from '../office/office.ts';
import { makeStaff, OFFICE_ORIGIN, OFFICE_SETTINGS } from '../office/office-people.ts';
import { CALLERS, type Caller, HOLDERS, isKey, isPerson, makeCallers, SEE_ALL } from './callers.ts';
import { INPUTS, type Input, type Name, type Things } from './inputs.ts';

// Development, for the demo's calls, whose `environment` key is an operator's.
const portal = useTestApp({ ...OFFICE_SETTINGS, NODE_ENV: 'development' });

const TARGETS = ['own', 'another office’s', 'missing'] as const;
type Target = (typeof TARGETS)[number];

/** Where a call ended: before it was examined, at its subject, or inside. */
type End = 'unknown' | 'not-allowed' | 'person-needed' | 'absent' | 'in';

const ABSENT_ID = '00000000-0000-4000-8000-00000000abcd';
const NOBODYS: Things = {
  franchiseId: 999_999_999,
  workOrderNumber: 999_999_999,
  customerNumber: 999_999_999,
  staffId: ABSENT_ID,
  paymentId: ABSENT_ID,
  chargeId: ABSENT_ID,
  refundId: ABSENT_ID,
  importId: ABSENT_ID,
  invitationId: ABSENT_ID,
  userId: ABSENT_ID,
};
/** Things that don't exist here. */
const ABSENT: Record<string, string | number> = {
  email: 'nobody@example.com',
  orderId: 'abc-123',
  creditId: 999_999,
  differenceId: 999_999,
  decision: 'close',
  sessionId: ABSENT_ID,
};
let about: Record<Target, Things>;
let headersOf: (caller: Caller) => Promise<Record<string, string>>;

beforeAll(async () => {
  const [own, another] = [await makeThings(), await makeThings()];
  about = { own, 'another office’s': another, missing: NOBODYS };
  headersOf = await makeCallers(portal, own);
});

async function makeThings(): Promise<Things> {
  const db = portal.deps.db.query;
  const made = await makeInvoice(db);
  const { franchiseId, workOrderNumber, customerId } = made;
  const [row] = await db.select().from(customer).where(eq(customer.id, customerId));
  const { staffId } = await makeStaff(portal, { role: 'clerk', franchiseIds: [franchiseId] });
  const credit = { invoices: [made], servicesCents: -10_00, note: 'Less' };
  const { paymentId, chargeId } = await makePayment(portal.deps, credit);
  const paid = await makePayment(portal.deps, { invoices: [await makeInvoice(db, { franchiseId })] });
  const refundId = await refundAll(portal.deps, paid, { invoiceCents: 10_00 });
  const { userId } = await makeUser(portal);
  await linkCustomer(portal, { userId, customerId });
  const email = `invited${workOrderNumber}@example.com`;
  const expiresAt = new Date('2099-01-01T00:00:00Z');
  const invitationId = await renewInvitation(db, { customerId, email, expiresAt });
  const customerNumber = row?.number ?? 0;
  const importId = await importFor(franchiseId);
  return {
    franchiseId,
    workOrderNumber,
    customerNumber,
    staffId,
    paymentId,
    chargeId,
    refundId,
    importId,
    invitationId,
    userId,
  };
}

/** A file of the office's own, sent with the key for all franchises. */
async function importFor(franchiseId: number): Promise<string> {
  const imported = await importRows(portal, [officeRow({ franchiseId: String(franchiseId) })]);
  expect(imported.statusCode, imported.body).toBe(200);
  const { rows } = await portal.deps.db.query.execute<{ id: string }>(
    sql`SELECT import_id AS id FROM office_import_count WHERE franchise_id = ${franchiseId}`,
  );
  return rows[0]?.id ?? '';
}

/** Restores what calls are about, so that each cell finds it unchanged. */
async function putBack() {
  await portal.deps.db.query.execute(sql`
    WITH access AS (UPDATE user_customer SET ended_at = NULL WHERE ended_at IS NOT NULL)
    UPDATE invitation SET withdrawn_at = NULL WHERE withdrawn_at IS NOT NULL`);
}

function rememberEach<Key, Made>(make: (key: Key) => Promise<Made>): (key: Key) => Promise<Made> {
  const made = new Map<Key, Promise<Made>>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}

let address = 0;

async function send(
  endpoint: OfficeEndpoint,
  input: Input,
  caller: Caller,
  things: Things,
  credentials = headersOf,
) {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) =>
    String(things[name] ?? ABSENT[name] ?? ABSENT_ID),
  );
  const body = input.body?.(things);
  address++;
  return portal.app.inject({
    method: endpoint.method,
    url: `/api${path}${input.query ? `?${input.query}` : ''}`,
    // One address per call, so that no limit by address applies.
    remoteAddress: `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`,
    headers: {
      host: new URL(OFFICE_ORIGIN).host,
      origin: OFFICE_ORIGIN,
      'x-office': '1',
      ...input.headers,
      ...(await credentials(caller)),
    },
    ...(body !== undefined && { payload: body as object }),
  });
}

/** Refusals before anything was examined; a wrong password or code was examined. */
const OUTSIDE = ['SignedOut', 'SignInExpired', 'SessionIdle', 'AccessHeld'];

function endOf({ statusCode, body }: { statusCode: number; body: string }): End {
  const problem =
    statusCode >= 400 ? (JSON.parse(body) as { errors: { code: string }[]; detail: string }) : null;
  const code = problem?.errors[0]?.code;
  if (statusCode === 401 && (code === undefined || OUTSIDE.includes(code))) return 'unknown';
  if (code === 'NotAllowed') return 'not-allowed';
  if (code === 'PersonNeeded') return 'person-needed';
  return statusCode === 404 ? 'absent' : 'in';
}

/** A call about nobody is the same one whatever its target. */
const targetsOf = ({ about: of }: Input): readonly Target[] => (of === 'nobody' ? ['own'] : TARGETS);

/** Where a caller's call must end, by the agreed rules. */
function expectedEnd(endpoint: OfficeEndpoint, { about: of }: Input, caller: Caller, target: Target): End {
  const gate = expectedGate(endpoint, caller);
  if (gate !== 'in') return gate;
  if (of === 'absent') return 'absent';
  if (of === 'a demo session') return 'not-allowed';
  if (of === 'nobody' || target === 'own') return 'in';
  const isVisible = target === 'another office’s' && SEE_ALL.includes(caller);
  return isVisible ? 'in' : 'absent';
}

function expectedGate({ from, right, keys, forAll }: OfficeEndpoint, caller: Caller): End {
  if (from === 'anybody') {
    // Credentials that are shown must be valid, even where none are needed.
    return caller === 'revoked key' || caller === 'a customer’s token' ? 'unknown' : 'in';
  }
  if (caller === 'session of level password') return from === 'password' ? 'in' : 'unknown';
  if (caller === 'session of level enrol') return from === 'enrol' ? 'in' : 'unknown';
  if (!isPerson(caller) && !isKey(caller)) return 'unknown';
  if (isPerson(caller) && from === 'password') return 'unknown';
  if (right !== null && !HOLDERS[right as Right].includes(caller)) return 'not-allowed';
  if (forAll && !SEE_ALL.includes(caller)) return 'not-allowed';
  if (isPerson(caller)) return keys === 'only' || keys === 'operator-only' ? 'not-allowed' : 'in';
  if (keys === false) return 'person-needed';
  const isOperators = keys === 'operator' || keys === 'operator-only';
  const isOperator = caller === 'OPERATOR_KEY' || caller === 'environment';
  return isOperators && !isOperator ? 'not-allowed' : 'in';
}

/** Everything but counters and last-seen times. */
const kept = () => fingerprint(portal, { but: ['limit_counter', 'office_session', 'office_api_key'] });

test('every call has its line', () => {
  expect(Object.keys(INPUTS).toSorted()).toEqual(Object.keys(OFFICE_ENDPOINTS).toSorted());
});

test('a thing of another office is not found under numbers of one’s own', async () => {
  const { own, 'another office’s': another } = about;
  const mixed: Things = { ...another, franchiseId: own.franchiseId, customerNumber: own.customerNumber };
  const before = await kept();
  for (const name of ['withdrawInvitation', 'endAccess', 'mailPerson', 'lookAtCredit', 'invoice'] as const) {
    const answer = await send(OFFICE_ENDPOINTS[name], INPUTS[name], 'owner', mixed);
    expect([name, answer.statusCode]).toEqual([name, 404]);
  }
  expect(await kept()).toEqual(before);
});

const CALLS = Object.keys(OFFICE_ENDPOINTS) as Name[];

// A restore ends every session, so it comes last.
test.each(CALLS.toSorted((one, other) => Number(one === 'restored') - Number(other === 'restored')))(
  '%s is answered to whom it may be, about what is hers',
  async (name) => {
    const endpoint: OfficeEndpoint = OFFICE_ENDPOINTS[name];
    const input = INPUTS[name];
    const cells = CALLERS.flatMap((caller) =>
      targetsOf(input).map((target) => ({
        caller,
        target,
        end: expectedEnd(endpoint, input, caller, target),
      })),
    );
    const answer = async (which: (end: End) => boolean, prepare: () => Promise<typeof headersOf>) => {
      const seen: Record<string, End> = {};
      for (const { caller, target, end } of cells) {
        if (!which(end)) continue;
        const credentials = await prepare();
        seen[`${caller} / ${target}`] = endOf(
          await send(endpoint, input, caller, about[target], credentials),
        );
      }
      return seen;
    };
    const wanted = (which: (end: End) => boolean) =>
      Object.fromEntries(
        cells
          .filter(({ end }) => which(end))
          .map(({ caller, target, end }) => [`${caller} / ${target}`, end]),
      );

    const isRefused = (end: End) => end !== 'in';
    await putBack();
    const before = await kept();
    // Who is refused changes nothing, so one session of each serves all refusals.
    const signedIn = rememberEach(headersOf);
    expect(await answer(isRefused, async () => signedIn)).toEqual(wanted(isRefused));
    expect(await kept()).toEqual(before);
    const isIn = (end: End) => end === 'in';
    const asNew = async () => {
      await putBack();
      return headersOf;
    };
    expect(await answer(isIn, asNew)).toEqual(wanted(isIn));
  },
);
