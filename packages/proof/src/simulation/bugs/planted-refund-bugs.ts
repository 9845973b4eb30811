import type { PlantedBug } from './planted-bugs.ts';

const ROOM = 'modules/payments/refunds';
/** Takes the provider's answer for its record. */
const BELIEVE_THE_ANSWER = {
  file: `${ROOM}/sweep/send-refund.ts`,
  find: 'const confirmed = await confirmByKey(refund, { gateway, answerKey: outcome.transactionKey });',
  replacement: `const { transactionKey: key, reference, batchKey } = outcome;
      const confirmed = { event: 'confirm', method: 'refund', transactionKey: key, reference, batchKey } as const;`,
};

/** Mistakes that somebody could make in refunds. */
export const PLANTED_REFUND_BUGS: PlantedBug[] = [
  {
    name: 'a refund forgets which ones were there before',
    attack: { group: 'refund-faults', id: 'RF72b' },
    edits: [
      {
        file: `${ROOM}/moves/refund-columns.queries.ts`,
        find: `before_keys = \${KEYS_BEFORE},`,
        replacement: `before_keys = '{}',`,
      },
    ],
  },
  {
    name: 'a lost refund is found by its amount alone',
    attack: { group: 'refund-faults', id: 'RF75b' },
    edits: [
      {
        file: `${ROOM}/sweep/refund-leases.queries.ts`,
        find: 'JOIN seen_refund s ON s.order_id = c.order_id AND s.refund_id IS NULL\n       AND s.amount_cents',
        replacement:
          'JOIN seen_refund s ON s.merchant_account_id = c.merchant_account_id AND s.refund_id IS NULL\n       AND s.amount_cents',
      },
      {
        file: `${ROOM}/sweep/confirm-refund.ts`,
        find: `  if (transaction.orderId !== refund.orderId) return { event: 'hold', heldFor: 'another-order' };\n`,
        replacement: '',
      },
    ],
  },
  {
    name: 'a refund is asked for again after a time-out',
    attack: { group: 'refund-faults', id: 'RF58' },
    edits: [
      {
        file: `${ROOM}/sweep/send-refund.ts`,
        find: 'const outcome = await gateway.refund({ transactionKey, millisecondsLeft, amountCents, clerk: mark });',
        replacement: `const asked = { transactionKey, millisecondsLeft, amountCents, clerk: mark };
  const first = await gateway.refund(asked);
  const outcome = first.kind === 'unknown' ? await gateway.refund(asked) : first;`,
      },
    ],
  },
  {
    name: 'the answer to a refund is believed',
    attack: { group: 'refund-faults', id: 'RF64' },
    edits: [BELIEVE_THE_ANSWER],
  },
  {
    name: 'the answer to another refund is taken for our own',
    attack: { group: 'refund-faults', id: 'RF62b' },
    edits: [
      BELIEVE_THE_ANSWER,
      {
        file: 'gateway/usaepay/refund-answers.ts',
        find: `  if (body.is_duplicate === 'Y') return UNKNOWN;\n  if (body.result_code === 'A' || body.result_code === 'P') return`,
        replacement: `  if (body.is_duplicate === 'Y') body.is_duplicate = 'N';\n  if (body.result_code === 'A') return`,
      },
    ],
  },
  {
    name: 'a part of a charge is voided',
    edits: [
      {
        file: `${ROOM}/start-refund.ts`,
        find: `return refund.amountCents === refund.chargeCents ? 'void' : null;`,
        replacement: `return 'void';`,
      },
      {
        file: `${ROOM}/refund-bars.queries.ts`,
        find: 'sql`r.amount_cents = c.amount_cents`',
        replacement: 'sql`true`',
      },
    ],
  },
  {
    name: 'a refund that was refused stays reserved',
    attack: { group: 'refund-faults', id: 'RF67' },
    sql: `CREATE OR REPLACE FUNCTION refund_reserves(state text, undone_at timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE AS
          $$ SELECT state NOT IN ('withdrawn', 'not_made') AND undone_at IS NULL $$`,
    edits: [],
  },
  {
    name: 'a refund that was not made is booked',
    attack: { group: 'refund-faults', id: 'RF57' },
    sql: `CREATE TRIGGER book_others AFTER UPDATE OF state ON refund FOR EACH ROW
            WHEN (NEW.state = 'not_made') EXECUTE FUNCTION book_refunds()`,
    edits: [],
  },
  {
    name: 'a refund is booked before anybody has its key',
    attack: { group: 'refund-faults', id: 'RF57' },
    sql: `DROP TRIGGER book_refunds ON refund;
          CREATE TRIGGER book_refunds AFTER UPDATE OF state ON refund FOR EACH ROW
            WHEN (NEW.state = 'sending') EXECUTE FUNCTION book_refunds()`,
    edits: [],
  },
  {
    name: 'a refund that was taken back keeps its transaction',
    attack: { group: 'refund-faults', id: 'RF74b' },
    sql: 'DROP TRIGGER let_go_of_seen_refund ON refund',
    edits: [],
  },
  {
    name: 'two people ask for one rest',
    attack: { group: 'refund-races', id: 'RR03' },
    sql: 'DROP TRIGGER refund_within_charge ON refund_line',
    edits: [
      {
        file: 'modules/console/refunds/requests/request-refund.ts',
        find: '  await lockIntent(tx, paymentId);\n',
        replacement: '',
      },
    ],
  },
  {
    name: 'one list proves that nothing was refunded',
    attack: { group: 'refund-faults', id: 'RF71b' },
    edits: [
      {
        file: `${ROOM}/sweep/find-lost-refund.ts`,
        find: 'if (refund.absentSeconds !== null) return',
        replacement: 'if (refund.attempts > 0) return',
      },
    ],
  },
  {
    name: 'a batch that is on its way is taken for settled',
    attack: { group: 'refund-faults', id: 'RF70c' },
    edits: [
      {
        file: `${ROOM}/sale-standing.ts`,
        find: `const SETTLED = ['S', 'F'];`,
        replacement: `const SETTLED = ['S', 'F', 'B'];`,
      },
    ],
  },
  {
    name: 'the fence of a refund’s lease does not grow',
    attack: { group: 'refund-faults', id: 'RF80b' },
    edits: [
      {
        file: `${ROOM}/sweep/refund-leases.queries.ts`,
        find: 'fence = r.fence + 1, attempts = r.attempts + 1',
        replacement: 'fence = r.fence, attempts = r.attempts + 1',
      },
    ],
  },
  {
    name: 'a credit is undone by the office’s next file',
    sql: 'DROP TRIGGER keep_credit ON invoice',
    edits: [],
  },
  {
    name: 'a credit that the office has taken off is taken off again',
    attack: { group: 'refund-faults', id: 'RF81b' },
    sql: `CREATE OR REPLACE FUNCTION store_uncredited() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            NEW.uncredited_cents := 0;
            NEW.uncredited_tax_cents := 0;
            RETURN NEW;
          END $$`,
    edits: [],
  },
  {
    name: 'a payer’s credit is left out of what goes back',
    edits: [
      {
        file: '../../../packages/money/src/spread-refund.ts',
        find: 'if (told === undefined) return shareOf(',
        replacement: 'if (told === undefined) return services < 0 ? 0 : shareOf(',
      },
    ],
  },
  {
    name: 'a refund is sent during a dispute',
    attack: { group: 'refund-faults', id: 'RF77' },
    sql: 'DROP TRIGGER refund_may_start ON refund',
    edits: [
      {
        file: `${ROOM}/refund-bars.queries.ts`,
        find: `WHEN EXISTS (SELECT FROM dispute d WHERE d.charge_id = c.id AND d.outcome IS DISTINCT FROM 'won')`,
        replacement: 'WHEN false',
      },
    ],
  },
  {
    name: 'what makes nothing due is sent beside another refund of its invoice',
    attack: { group: 'refund-races', id: 'RR15' },
    edits: [
      {
        file: `${ROOM}/refund-bars.queries.ts`,
        find: `WHERE l.refund_id = r.id AND \${dependsOnAnother}`,
        replacement: 'WHERE l.refund_id = r.id AND false',
      },
    ],
  },
  {
    name: 'the payer hears of a refund that is being sent',
    edits: [
      {
        file: `${ROOM}/moves/refund-transitions.ts`,
        find: `    next: 'at-its-deadline',\n`,
        replacement: `    next: 'at-its-deadline',\n    tells: 'payer',\n`,
      },
    ],
  },
];
