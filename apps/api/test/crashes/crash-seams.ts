import type pg from 'pg';
import type { CrashHook, CrashPoint } from '../../src/crash-points.ts';
import type { Database } from '../../src/db/client.ts';
import type { Gateways, PaymentGateway } from '../../src/gateway/payment-gateway.ts';

// Where a portal process can be killed: around its statements, its commits and its calls to the provider. The code
// itself knows nothing of it. A point without a seam, or one that is never passed, fails the test that must reach it.

type Statement = { text: string; values: readonly unknown[] };
type OnStatement = (statement: Statement, state: State) => boolean;
type OnCommit = (made: readonly Statement[], state: State) => boolean;

/** What an instance has just done, where a statement alone doesn't tell its purpose. */
type State = {
  isLookingUp: boolean;
  isReviewing: boolean;
  isDecidingRefund: boolean;
  hasRefunded: boolean;
};

const says =
  (pattern: RegExp): OnStatement =>
  ({ text }) =>
    pattern.test(text);

const moved =
  (...to: string[]): OnStatement =>
  ({ text, values }) =>
    /^(WITH accepted AS \( )?UPDATE charge SET state =/.test(text) &&
    to.some((state) => values.includes(state));

const makes =
  (...all: OnStatement[]): OnCommit =>
  (made, state) =>
    all.every((each) => made.some((statement) => each(statement, state)));

const isBegun = says(/^WITH intent AS \( INSERT INTO payment_intent/);
const isCardBegun: OnStatement = ({ text, values }) =>
  text.startsWith('INSERT INTO payment_intent') && values.includes('card');
const isLocked = says(
  /^WITH payment_intent AS MATERIALIZED \(SELECT \* FROM payment_intent WHERE id = \$1 FOR UPDATE/,
);
const isFreed: OnStatement = ({ text, values }) =>
  text.startsWith('UPDATE invoice_claim SET state') && values.includes('freed');
const isPostponed = says(/^UPDATE charge SET next_try_at = /);
const isAbsenceNoted = says(/^UPDATE charge SET first_absent_listing_at/);
const isLost = says(/^WITH due AS \(.*UPDATE charge c SET lease_until/);
const isReviewLeased = says(/^UPDATE charge c SET lease_until = .*'60 seconds', fence = c\.fence \+ 1 WHERE/);
const refundMoved =
  (...to: string[]): OnStatement =>
  ({ text, values }) =>
    text.startsWith('UPDATE refund SET state =') && to.some((state) => values.includes(state));
const isRefundLeased = says(/^WITH due AS \( SELECT r\.id FROM refund r .*UPDATE refund r SET lease_until/);
const isAnswerStored = says(/^UPDATE refund SET state = state .*answer_key = /);
const isRefundReviewed = says(/^UPDATE refund r SET lease_until = .* fence = r\.fence \+ 1 FROM charge c/);
const isRefundUndone = says(/^UPDATE refund SET state = state .*"undone_at" = engine_now\(\)/);
const decidesRefund: OnCommit = (made, state) =>
  state.isDecidingRefund && makes(refundMoved('made', 'not_made', 'unknown'))(made, state);
const isRefundAsked = says(/^INSERT INTO refund_request/);
const isRefundApproved = says(/^UPDATE refund_request SET approved_by/);
const isTokenSpent = says(/^UPDATE mail_token SET used_at/);
const isUserMade = says(/^INSERT INTO app_user/);
const isLinked = says(/^INSERT INTO (user_location|user_customer)/);
const isEmailChanged = says(/^UPDATE email_change SET confirmed_at/);
const isEmailChangeUndone = says(/^UPDATE email_change SET undone_at/);
const isPasswordChanged = says(/^UPDATE app_user SET password_hash = \$1 WHERE/);
const isClosed = says(/^UPDATE app_user SET active = false/);
const isOfferUsed = says(/^INSERT INTO adopted_payment/);
const isInvited = says(/^INSERT INTO invitation/);
const isSessionStarted = says(/^(WITH .*)?INSERT INTO office_session/);
const isWelcomed = makes(isSessionStarted, isPasswordChanged);
const isEnrolled = makes(says(/^INSERT INTO staff_recovery_code/), isSessionStarted);
const isSteppedUp = makes(says(/^INSERT INTO step_up/));
const isActConfirmed = makes(says(/^UPDATE step_up SET used_at/));
const isKeyRevoked = makes(says(/^UPDATE office_api_key SET revoked_at/));
const areKeysReplaced = makes(says(/^INSERT INTO merchant_account/));
const isMailMarked = says(/^UPDATE outgoing_mail SET sent_at/);

const storesApproval: OnCommit = (made, state) =>
  makes(moved('authorised'))(made, state) && !makes(moved('abandoned', 'refused'))(made, state);
const DECIDED_BY_SWEEP = ['captured', 'reversing', 'capture_failed', 'releasing', 'released', 'absent'];
const decidesCharge = makes(isLocked, moved(...DECIDED_BY_SWEEP, 'conflict', 'unresolved'));
/** The move is the whole commit, in one statement. */
const movedAlone =
  (...to: string[]): OnStatement =>
  ({ text, values }) =>
    text.startsWith('WITH payment AS MATERIALIZED') && to.some((state) => values.includes(state));
const isDecidedAlone = movedAlone(...DECIDED_BY_SWEEP, 'conflict', 'unresolved');

/** Called before a statement is sent. */
const BEFORE: Partial<Record<CrashPoint, OnStatement>> = {
  '01-before-claim': isBegun,
  '41-inside-decision': isDecidedAlone,
  '16-after-mail': isMailMarked,
  '20-inside-look-up': (statement, state) =>
    state.isLookingUp &&
    [isLocked, isDecidedAlone, isPostponed, isAbsenceNoted].some((each) => each(statement, state)),
  '23-inside-comparison': says(/^SELECT .* FROM charge c WHERE c\.merchant_account_id = .* c\.captured_at </),
  '43-before-postponed': isPostponed,
  '47-before-compared': ({ text, values }) =>
    text.startsWith('INSERT INTO audit_event') && values.includes('compare books'),
  '60-review-planned': (statement, state) =>
    state.isReviewing && [isLocked, isDecidedAlone].some((each) => each(statement, state)),
  'R15-confirmed': refundMoved('made'),
  'R20-void-refused': refundMoved('waiting'),
  'R24-candidate-found': isAnswerStored,
  'R26-decision-asked': ({ text }, { isDecidingRefund }) =>
    isDecidingRefund && text.startsWith('UPDATE step_up'),
  'R30-between-rows': (statement, state) => state.hasRefunded && isRefundLeased(statement, state),
  '62-after-review': says(/^SELECT state FROM charge WHERE id = /),
};

/** Called after a statement that returned or changed a row. */
const AFTER: Partial<Record<CrashPoint, OnStatement>> = {
  '14-capture-stored': movedAlone('captured'),
  '15-before-mail': says(/^UPDATE outgoing_mail SET lease_until/),
  '19-some-captured': movedAlone('captured'),
  '27-card-deleted': says(/^DELETE FROM payment_method/),
  '30-token-half-spent': isTokenSpent,
  '31-refreshed': says(/^UPDATE session s SET generation/),
  '35-signed-out': says(/^UPDATE session (s )?SET ended_at/),
  '38-charge-leased': says(/^UPDATE charge c SET lease_until = .* WHERE c\.id = ANY\(ARRAY\( SELECT/),
  '39-look-up-leased': isLost,
  '42-after-decision': isDecidedAlone,
  '44-after-postponed': isPostponed,
  '45-late-hold-leased': says(/^UPDATE charge c SET lease_until = .* FROM payment_intent p WHERE/),
  '48-mail-marked': isMailMarked,
  '49-mail-postponed': says(/^UPDATE outgoing_mail SET next_try_at = engine_now\(\)/),
  '59-review-leased': isReviewLeased,
  '61-review-decided': (statement, state) => state.isReviewing && isDecidedAlone(statement, state),
  'R06-leased': isRefundLeased,
  'R08-looked': says(/^UPDATE refund SET looked_at/),
  'R22-unknown-leased': isRefundLeased,
  'R23-absence-noted': says(/^UPDATE refund SET first_absent_at/),
  '85-code-counted': says(/^INSERT INTO limit_counter/),
};

/** Called when a transaction has done everything, just before its commit. */
const INSIDE: Partial<Record<CrashPoint, OnCommit>> = {
  '02-inside-claim': makes(isBegun),
  '07-inside-authorised': storesApproval,
  '09-inside-accept': makes(moved('accepted')),
  '36-inside-abandon': makes(isFreed),
  '41-inside-decision': decidesCharge,
  '53-inside-sign-up': makes(isUserMade),
  '55-inside-link': makes(isLinked),
  '56-inside-mail-request': makes(says(/^DELETE FROM mail_request WHERE id/)),
  '57-inside-invite': makes(isInvited),
  '63-inside-email-change': makes(isEmailChanged),
  '65-inside-undo': makes(isEmailChangeUndone),
  '67-inside-close': makes(isClosed),
  '69-inside-offer': makes(isOfferUsed),
  'R01-inside-request': makes(isRefundAsked),
  'R03-inside-approval': makes(isRefundApproved),
  'R05-inside-withdrawal': makes(refundMoved('withdrawn')),
  'R09-inside-sending': makes(refundMoved('sending')),
  'R16-inside-made': makes(refundMoved('made')),
  'R21-inside-waiting': makes(refundMoved('waiting')),
  'R25-inside-end': makes(refundMoved('not_made', 'held', 'refused')),
  'R27-inside-decision': decidesRefund,
  'R29-inside-again': makes(isRefundAsked),
  'R31-inside-drop': makes(refundMoved('withdrawn'), moved('capture_failed')),
  'R32-inside-undo': makes(isRefundUndone),
  'R33-inside-hold': makes(refundMoved('held')),
  '52-inside-card-stored': makes(says(/^INSERT INTO payment_method/)),
  '80-inside-welcome': isWelcomed,
  '83-inside-enrolment': isEnrolled,
  '86-inside-step-up': isSteppedUp,
  '88-inside-confirmed-act': isActConfirmed,
  '90-inside-revoking': isKeyRevoked,
  '92-inside-new-keys': areKeysReplaced,
};

/** Called after the commit was answered. */
const COMMITTED: Partial<Record<CrashPoint, OnCommit>> = {
  '03-after-claim': makes(isBegun),
  '08-after-authorised': storesApproval,
  '10-after-accept': makes(moved('accepted')),
  '17-some-authorised': storesApproval,
  '25-card-stored': makes(says(/^INSERT INTO payment_method/)),
  '29-user-stored': makes(isUserMade),
  '32-linked': makes(isLinked),
  '37-after-abandon': makes(isFreed),
  '42-after-decision': decidesCharge,
  '50-card-begun': makes(isCardBegun),
  '54-token-spent': makes(isTokenSpent),
  '58-invited': makes(isInvited),
  '64-email-changed': makes(isEmailChanged),
  '66-password-changed': makes(isPasswordChanged),
  '68-closed': makes(isClosed),
  '70-offer-used': makes(isOfferUsed),
  '81-welcomed': isWelcomed,
  '82-app-begun': makes(says(/^INSERT INTO staff_factor/)),
  '84-enrolled': isEnrolled,
  '87-stepped-up': isSteppedUp,
  '89-act-confirmed': isActConfirmed,
  '91-key-revoked': isKeyRevoked,
  '93-keys-replaced': areKeysReplaced,
  'R02-requested': makes(isRefundAsked),
  'R04-approved': makes(isRefundApproved),
  'R10-sending': makes(refundMoved('sending')),
  'R14-answer-stored': makes(isAnswerStored),
  'R17-made': makes(refundMoved('made')),
  'R28-decided': decidesRefund,
  '61-review-decided': (made, state) => state.isReviewing && decidesCharge(made, state),
};

/** A database and a provider that call the hook at their seams. */
export function observeSeams(
  { db, gateways }: { db: Database; gateways: Gateways },
  reach: CrashHook,
): { db: Database; gateways: Gateways } {
  const state: State = {
    isLookingUp: false,
    isReviewing: false,
    isDecidingRefund: false,
    hasRefunded: false,
  };
  return {
    db: observeDatabase(db, { reach, state }),
    gateways: { ...gateways, of: (keys) => observeGateway(gateways.of(keys), reach) },
  };
}

type Observer = { reach: CrashHook; state: State };

function observeDatabase(db: Database, observer: Observer): Database {
  db.pool.on('connect', (client) => observeClient(client, observer));
  return { ...db, beside: (options) => observeDatabase(db.beside(options), observer) };
}

type Query = (...values: unknown[]) => unknown;

function observeClient(client: pg.PoolClient, { reach, state }: Observer): void {
  const query = client.query.bind(client) as Query;
  let made: Statement[] = [];
  const underWay = new Set<Promise<unknown>>();
  const observed: Query = (...values) => {
    const statement = readStatement(values);
    const { text } = statement;
    const isCommit = /^commit/i.test(text);
    // Pipelined statements go first; otherwise a process killed before its commit wouldn't have sent them either.
    if (isCommit && underWay.size > 0) {
      return Promise.allSettled(underWay).then(() => observed(...values));
    }
    if (/^begin/i.test(text)) made = [];
    if (isCommit) pass(INSIDE, (isPassed) => isPassed(made, state), reach);
    else {
      pass(BEFORE, (isPassed) => isPassed(statement, state), reach);
      made.push(statement);
    }
    const answered = (result: pg.QueryResult | undefined) => {
      if (isCommit) {
        pass(COMMITTED, (isPassed) => isPassed(made, state), reach);
        if (makes(refundMoved('made'))(made, state)) state.hasRefunded = true;
      } else if ((result?.rowCount ?? 0) > 0) {
        pass(AFTER, (isPassed) => isPassed(statement, state), reach);
        if (isLost(statement, state)) state.isLookingUp = true;
        if (isReviewLeased(statement, state)) state.isReviewing = true;
        if (isRefundReviewed(statement, state)) state.isDecidingRefund = true;
      }
    };
    const callback = values.at(-1);
    if (typeof callback === 'function') {
      return query(...values.slice(0, -1), (error: unknown, result: pg.QueryResult) => {
        if (!error) answered(result);
        callback(error, result);
      });
    }
    const result = query(...values);
    if (!(result instanceof Promise)) return result;
    underWay.add(result);
    return result
      .finally(() => underWay.delete(result))
      .then((rows) => {
        answered(rows as pg.QueryResult);
        return rows;
      });
  };
  client.query = observed as typeof client.query;
}

function pass<Seam>(
  seams: Partial<Record<CrashPoint, Seam>>,
  isPassed: (seam: Seam) => boolean,
  reach: CrashHook,
): void {
  for (const [point, seam] of Object.entries(seams)) {
    if (isPassed(seam as Seam)) reach(point as CrashPoint);
  }
}

function readStatement([first, second]: unknown[]): Statement {
  const config = (typeof first === 'string' ? { text: first } : first) as {
    text?: string;
    values?: unknown[];
  };
  const values = config.values ?? (Array.isArray(second) ? second : []);
  return { text: (config.text ?? '').replace(/\s+/g, ' ').trim(), values };
}

function observeGateway(gateway: PaymentGateway, reach: CrashHook): PaymentGateway {
  return {
    async authorize(request) {
      const outcome = await gateway.authorize({
        ...request,
        onProgress: (step) => {
          request.onProgress?.(step);
          reach(step === 'connected' ? '04-socket-open' : '05-authorize-written');
        },
      });
      reach('06-authorize-answered');
      if ('cardToken' in request.card) reach('28-saved-card-charged');
      if (outcome.kind !== 'approved') reach('18-declined-later');
      else if (request.saveCard) reach('24-card-hold-made');
      return outcome;
    },
    async capture(hold) {
      reach('12-before-capture');
      const outcome = await gateway.capture(hold);
      reach('13-after-capture');
      return outcome;
    },
    async release(hold) {
      reach('40-before-release');
      const sent = await gateway.release(hold);
      reach('21-after-release');
      reach('26-card-hold-kept');
      reach('46-late-hold-released');
      return sent;
    },
    async void(sale) {
      const outcome = await gateway.void({
        ...sale,
        onProgress: (step) => {
          if (step === 'written') reach('R18-void-written');
        },
      });
      reach('R19-void-answered');
      return outcome;
    },
    async refund(sale) {
      const outcome = await gateway.refund({
        ...sale,
        onProgress: (step) => reach(step === 'connected' ? 'R11-socket-open' : 'R12-refund-written'),
      });
      reach('R13-refund-answered');
      return outcome;
    },
    find: (transaction) => gateway.find(transaction),
    async list(page) {
      const outcome = await gateway.list(page);
      reach('22-inside-listing');
      reach('R07-inside-listing');
      return outcome;
    },
    async makeCardToken(transaction) {
      const token = await gateway.makeCardToken(transaction);
      reach('51-card-token-made');
      return token;
    },
  };
}
