import { createHash } from 'node:crypto';
import type { RefundPage } from '@brightpane/contract/office/refunds';
import { sql } from 'drizzle-orm';
import { stepAt, totpCode } from '../../src/modules/staff/factors/totp.ts';
import type { TestApp } from '../build-test-app.ts';
import { makeInvoice } from '../factories/invoices.ts';
import { makePayment } from '../factories/payments/decided-payments.ts';
import { makeRefund, sendRefund } from '../factories/refund-rows.ts';
import { mailLink, mailsTo } from '../mail/mailbox.ts';
import { fromBase32 } from '../office/from-base32.ts';
import { callOffice } from '../office/office.ts';
import { makePasskeyOwner, newPasskeyOf, optionsFor } from '../office/office-passkeys.ts';
import {
  callConfirmed,
  callConsole,
  codeOf,
  cookieOf,
  linkTo,
  makeStaff,
  OFFICE_ORIGIN,
  OFFICE_SETTINGS,
  STAFF_PASSWORD,
  signInStaff,
  stepUpFor,
  type TestPerson,
  waitForNextCode,
} from '../office/office-people.ts';
import type { Writes } from './writes.ts';

type Who = { person: TestPerson; cookie: string };
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const PASSWORD = 'nine yellow ladders';
const STAFF_ACT = { method: 'GET', path: '/api/office/staff', body: '' };

/** What people do about themselves and each other. */
export function staffWrites(portal: TestApp): Writes {
  const signedIn = async (): Promise<Who> => {
    const person = await makeStaff(portal);
    return { person, cookie: await signInStaff(portal, person) };
  };
  const own = async (method: Method, path: string, body?: unknown) => {
    const { cookie } = await signedIn();
    return () => callConsole(portal, method, path, { cookie, body });
  };
  /** With a second factor confirmed beforehand, since that is an act of its own. */
  const confirmed = async (who: Who, method: Method, path: string, body?: unknown, others = {}) => {
    const headers = { ...others, ...(await stepUpFor(portal, who, { method, path, body })) };
    return () => callConsole(portal, method, path, { cookie: who.cookie, headers, body });
  };
  /** A refund that somebody else requested, and the person who may decide on it. */
  const refund = async (given: { needsApproval?: boolean }) => {
    const paid = await makePayment(portal.deps);
    const { refundId } = await makeRefund(portal.deps, paid, { invoiceCents: 10_00, ...given });
    return { refundId, who: await signedIn() };
  };
  const start = async ({ email }: TestPerson) => {
    const answer = await callConsole(portal, 'POST', '/session', {
      body: { email, password: STAFF_PASSWORD },
    });
    waitForNextCode(portal);
    return cookieOf(answer);
  };
  const invite = async () => {
    const email = `invited${Math.floor(portal.now.getTime())}@staff.example`;
    await callConfirmed(portal, await signedIn(), 'POST', '/staff', { email, role: 'admin' });
    return { ...(await linkTo(portal, email)), firstName: 'Cora', lastName: 'Clerk', password: PASSWORD };
  };
  const makeOther = async (state: 'active' | 'invited' = 'active') => {
    const { franchiseId } = await makeInvoice(portal.deps.db.query);
    return makeStaff(portal, {
      role: 'clerk',
      franchiseIds: [franchiseId],
      state,
      hasApp: state === 'active',
    });
  };
  const byOperator = { authorization: `Bearer ${OFFICE_SETTINGS.OPERATOR_KEY}` };
  const demoLink = () =>
    callConsole(portal, 'POST', '/demo-links', { headers: byOperator, body: { email: 'henry@example.com' } });
  const openDemo = async () => {
    const { link } = (await demoLink()).json<{ link: string }>();
    const body = { token: new URL(link).searchParams.get('t') };
    return () => callConsole(portal, 'POST', '/session/demo', { body });
  };

  return {
    approveRefund: async () => {
      const { refundId, who } = await refund({ needsApproval: true });
      return confirmed(who, 'POST', `/refunds/${refundId}/approve`, {});
    },
    decideRefund: async () => {
      const { refundId, who } = await refund({});
      await portal.deps.db.query.execute(sql`
        UPDATE refund SET state = 'held', held_for = 'restored', review_since = engine_now() WHERE id = ${refundId}`);
      const body = { decision: 'keep-asking', note: 'Looked at.' };
      const { version } = (
        await callConsole(portal, 'GET', `/refunds/${refundId}`, { cookie: who.cookie })
      ).json<RefundPage>();
      return confirmed(who, 'POST', `/refunds/${refundId}/decide`, body, { 'if-match': `"${version}"` });
    },
    withdrawRefund: async () => {
      const { refundId, who } = await refund({});
      return () =>
        callConsole(portal, 'POST', `/refunds/${refundId}/withdraw`, {
          cookie: who.cookie,
          body: { note: 'Not needed.' },
        });
    },
    sendRefundAgain: async () => {
      const { refundId, who } = await refund({});
      await sendRefund(portal.deps, refundId);
      await portal.deps.db.query.execute(sql`UPDATE refund SET state = 'refused' WHERE id = ${refundId}`);
      return () =>
        callConsole(portal, 'POST', `/refunds/${refundId}/send-again`, {
          cookie: who.cookie,
          headers: { 'idempotency-key': refundId },
          body: {},
        });
    },
    recordDispute: async () => {
      const { chargeId } = await makePayment(portal.deps);
      const { cookie } = await signedIn();
      const body = { chargeId, amount: 10, openedOn: '2026-11-01' };
      return () => callConsole(portal, 'POST', '/disputes', { cookie, body });
    },
    signIn: async () => {
      const { email } = await makeStaff(portal);
      return () => callConsole(portal, 'POST', '/session', { body: { email, password: STAFF_PASSWORD } });
    },
    showCode: async () => {
      const person = await makeStaff(portal);
      const cookie = await start(person);
      return () =>
        callConsole(portal, 'POST', '/session/totp', { cookie, body: { code: codeOf(portal, person) } });
    },
    showRecoveryCode: async () => {
      const who = await signedIn();
      const made = await callConfirmed(portal, who, 'POST', '/recovery-codes', {});
      const [code] = made.json<{ recoveryCodes: string[] }>().recoveryCodes;
      const cookie = await start(who.person);
      return () => callConsole(portal, 'POST', '/session/recovery', { cookie, body: { code } });
    },
    showPasskey: async () => {
      const { passkey } = await makePasskeyOwner(portal);
      const { challenge } = await optionsFor(portal, '/session/passkey/options');
      const body = { credential: passkey.get({ challenge, origin: OFFICE_ORIGIN }) };
      return () => callConsole(portal, 'POST', '/session/passkey', { body });
    },
    resume: async () => {
      const { person, cookie } = await signedIn();
      await portal.deps.db.query.execute(sql`
        UPDATE office_session SET seen_at = engine_now() - interval '31 minutes' WHERE staff_id = ${person.staffId}`);
      waitForNextCode(portal);
      const body = { code: codeOf(portal, person) };
      return () => callConsole(portal, 'POST', '/session/resume', { cookie, body });
    },
    confirmReset: async () => {
      const { email } = await makeStaff(portal);
      await callConsole(portal, 'POST', '/session/reset', { body: { email } });
      const [mail] = await mailsTo(portal, email);
      if (!mail) throw new Error('no mail');
      const { token } = mailLink(mail);
      return () =>
        callConsole(portal, 'POST', '/session/reset/confirm', { body: { email, token, password: PASSWORD } });
    },
    signOut: () => own('DELETE', '/session'),
    welcome: async () => {
      const body = await invite();
      return () => callConsole(portal, 'POST', '/welcome', { body });
    },
    stepUpByCode: async () => {
      const { person, cookie } = await signedIn();
      waitForNextCode(portal);
      const body = { code: codeOf(portal, person), act: STAFF_ACT };
      return () => callConsole(portal, 'POST', '/step-up/totp', { cookie, body });
    },
    stepUpByPasskey: async () => {
      const { cookie, passkey } = await makePasskeyOwner(portal);
      const asked = { cookie, body: { act: STAFF_ACT } };
      const { challenge } = await optionsFor(portal, '/step-up/passkey/options', asked);
      const body = { act: STAFF_ACT, credential: passkey.get({ challenge, origin: OFFICE_ORIGIN }) };
      return () => callConsole(portal, 'POST', '/step-up/passkey', { cookie, body });
    },
    demoSession: openDemo,
    stepUpAsDemo: async () => {
      const cookie = cookieOf(await (await openDemo())());
      return () => callConsole(portal, 'POST', '/step-up/demo', { cookie, body: { act: STAFF_ACT } });
    },
    moveClock: async () => () =>
      callConsole(portal, 'POST', '/demo-clock', { headers: byOperator, body: { seconds: 1 } }),
    demoLink: async () => {
      await demoLink();
      return demoLink;
    },
    addApp: () => own('POST', '/factors/totp', {}),
    // The first factor ends the enrollment and signs in.
    confirmApp: async () => {
      const cookie = cookieOf(await callConsole(portal, 'POST', '/welcome', { body: await invite() }));
      const app = await callConsole(portal, 'POST', '/factors/totp', { cookie, body: {} });
      const { factorId, secret } = app.json<{ factorId: string; secret: string }>();
      const body = { factorId, code: totpCode(fromBase32(secret), stepAt(portal.now)), name: 'Phone' };
      return () => callConsole(portal, 'POST', '/factors/totp/confirm', { cookie, body });
    },
    addPasskey: async () => {
      const who = await signedIn();
      const { body } = await newPasskeyOf(portal, who);
      return confirmed(who, 'POST', '/factors/passkey', body);
    },
    renameFactor: async () => {
      const { cookie, person } = await signedIn();
      const path = `/factors/${await factorOf(portal, person, 'totp')}`;
      return () => callConsole(portal, 'PUT', path, { cookie, body: { name: 'New phone' } });
    },
    removeFactor: async () => {
      const who = await makePasskeyOwner(portal);
      return confirmed(who, 'DELETE', `/factors/${await factorOf(portal, who.person, 'passkey')}`);
    },
    renewRecoveryCodes: async () => confirmed(await signedIn(), 'POST', '/recovery-codes', {}),
    changeAccount: () => own('PUT', '/account', { shortcuts: false }),
    changePassword: async () =>
      confirmed(await signedIn(), 'PUT', '/account/password', { password: PASSWORD }),
    endSession: async () => {
      const { person, cookie } = await signedIn();
      const other = createHash('sha256')
        .update((await signInStaff(portal, person)).split('=')[1] ?? '')
        .digest();
      const { rows } = await portal.deps.db.query.execute(
        sql`SELECT id FROM office_session WHERE token_hash = ${other}`,
      );
      return () => callConsole(portal, 'DELETE', `/account/sessions/${rows[0]?.id}`, { cookie });
    },
    addStaff: async () => {
      const email = `added${Math.floor(portal.now.getTime())}@staff.example`;
      return confirmed(await signedIn(), 'POST', '/staff', { email, role: 'support' });
    },
    changeStaff: async () => {
      const { staffId } = await makeOther();
      return confirmed(await signedIn(), 'PUT', `/staff/${staffId}`, { role: 'viewer' });
    },
    renewStaffLink: async () => {
      const { staffId } = await makeOther('invited');
      return confirmed(await signedIn(), 'POST', `/staff/${staffId}/link`);
    },
    resetFactors: async () => {
      const { staffId } = await makeOther();
      return confirmed(await signedIn(), 'DELETE', `/staff/${staffId}/factors`);
    },
    confirmStaff: async () => {
      const { staffId, email } = await makeOther();
      await portal.deps.db.query.execute(sql`UPDATE staff SET held_at = engine_now() WHERE id = ${staffId}`);
      return () => callConsole(portal, 'POST', '/staff/confirm', { headers: byOperator, body: { email } });
    },
    addApiKey: async () =>
      confirmed(await signedIn(), 'POST', '/api-keys', {
        name: 'A program',
        franchiseId: null,
        rights: ['view'],
      }),
    revokeApiKey: async () => {
      const who = await signedIn();
      const made = await (
        await confirmed(who, 'POST', '/api-keys', { name: 'Another', franchiseId: null, rights: ['view'] })
      )();
      return confirmed(who, 'DELETE', `/api-keys/${made.json<{ apiKeyId: string }>().apiKeyId}`);
    },
    exportPayments: async () => confirmed(await signedIn(), 'GET', '/payments.csv'),
    exportInvoices: async () => confirmed(await signedIn(), 'GET', '/invoices.csv'),
    exportAudit: async () => confirmed(await signedIn(), 'GET', '/audit.csv'),
    moved: async () => {
      const from = `https://pay-${Math.floor(portal.now.getTime())}.example.com`;
      await portal.deps.db.query.execute(
        sql`INSERT INTO deployment (public_url, order_prefix) VALUES (${from}, substr(md5(${from}), 1, 6))`,
      );
      return () => callConsole(portal, 'POST', '/moved', { headers: byOperator, body: { from } });
    },
    // Signs everybody out.
    restored: async () => () => callOffice(portal, 'POST', '/restored', { body: {} }),
  };
}

async function factorOf({ deps }: TestApp, { staffId }: TestPerson, kind: string): Promise<string> {
  const { rows } = await deps.db.query.execute<{ id: string }>(
    sql`SELECT id FROM staff_factor WHERE staff_id = ${staffId} AND kind = ${kind} AND removed_at IS NULL`,
  );
  return rows[0]?.id ?? '';
}
