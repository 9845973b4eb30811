import { PLANTED_REFUND_BUGS } from './planted-refund-bugs.ts';

/** A mistake that somebody could make in the engine. The simulation must notice it, or else the named attack. */
export type PlantedBug = {
  name: string;
  /** A seed known to notice it, which the tests play. Without one, only the proof plays this bug. */
  seed?: number;
  /** The attack that notices it, if no simulation can. */
  attack?: { group: string; id: string };
  edits: Edit[];
  /** What somebody could do to the database. */
  sql?: string;
};

type Edit = {
  /** Below apps/api/src. */
  file: string;
  /** Occurs exactly once in the file. */
  find: string;
  replacement: string;
};

const CLAIMING = `    () => lockInvoices(tx, invoiceIds),
    () => insertClaimingIntent(tx, { ...newIntent(deps, { payment, intentId, seconds }), invoiceIds }),
`;
const READING = `    () => readPayableInvoices(tx, { invoiceIds, ...payment }),
`;

const ACCEPT_EARLY = `    if (isSingle) {
      const early = {
        transactionKey: next.orderId,
        reference: next.orderId,
        maskedCard: 'xxxx',
        cardBrand: 'Card',
      };
      const approval = { kind: 'approved', savedCard: null, ...early } as const;
      await decideUntilKnown(deps, claimed, {
        event: 'accept',
        approved: { chargeId: next.chargeId, ...early },
        outcome: paidOutcome([{ charge: next, approval }]),
        legal: legalTerms(payment, claimed),
        mails: (acceptedAt) =>
          acceptanceMails({
            lines: next.lines.map((line) => ({ ...line, chargeId: next.chargeId })),
            charges: [{ amountCents: next.amountCents, ...approval }],
            receiptTo: payment.sendReceipt ? payment.payerEmail : null,
            acceptedAt,
          }),
      });
    }
    const outcome = await authorize(deps, { ...begun, charge: next });
    if (isSingle && outcome.kind === 'approved') {
      await deps.db.pool.query('UPDATE charge SET transaction_key = $1, reference = $2 WHERE id = $3', [
        outcome.transactionKey,
        outcome.reference,
        next.chargeId,
      ]);
      return paidOutcome([{ charge: next, approval: outcome }]);
    }
`;

export const PLANTED_BUGS: PlantedBug[] = [
  {
    name: 'the balance is read before the claim',
    edits: [
      {
        file: 'modules/payments/pay/claim.ts',
        find: `  const [, intent, invoices] = await inOneTrip(tx, [\n${CLAIMING}${READING}`,
        replacement: `  const [invoices, , intent] = await inOneTrip(tx, [\n${READING}${CLAIMING}`,
      },
    ],
  },
  {
    name: 'an invoice is claimed twice',
    edits: [
      {
        file: 'modules/payments/pay/claim.ts',
        find: 'if (intent.claimed < invoiceIds.length) {',
        replacement: 'if (Math.random() > 1) {',
      },
    ],
  },
  {
    name: 'the unique index of claims is dropped',
    seed: 5,
    sql: 'DROP INDEX one_live_claim',
    edits: [
      {
        file: 'modules/payments/engine/payments.queries.ts',
        find: `ON CONFLICT (invoice_id) WHERE state = 'live' DO NOTHING`,
        replacement: 'ON CONFLICT DO NOTHING',
      },
    ],
  },
  {
    name: 'invoices are locked one by one in the order of the payment',
    edits: [
      {
        file: 'modules/invoices/payable-invoices.queries.ts',
        find: `  await query(tx, { plan: 'once' })\`
    SELECT FROM invoice WHERE id = ANY(\${listOf(invoiceIds, 'bigint')}) ORDER BY id FOR UPDATE\`;`,
        replacement: `  for (const id of invoiceIds) await query(tx)\`SELECT FROM invoice WHERE id = \${id} FOR UPDATE\`;`,
      },
    ],
  },
  {
    name: 'a payment is accepted before its hold is asked for',
    edits: [
      {
        file: 'modules/payments/pay/charge.ts',
        find: '    const outcome = await authorize(deps, { ...begun, charge: next });\n',
        replacement: ACCEPT_EARLY,
      },
    ],
  },
  {
    name: 'a hold is asked for again after a time-out',
    seed: 22,
    edits: [
      {
        file: 'modules/payments/pay/authorize-charge.ts',
        find: '  const outcome = await deps.gateways.of(keys).authorize({\n    ...request,',
        replacement: `  const ask = deps.gateways.of(keys).authorize;
  const again = async (each: Parameters<typeof ask>[0]) => {
    const first = await ask(each);
    return first.kind === 'unknown' ? ask(each) : first;
  };
  const outcome = await again({
    ...request,`,
      },
    ],
  },
  {
    name: 'an approval of a part is accepted',
    edits: [
      {
        file: 'gateway/usaepay/provider-answers.ts',
        find: `    case 'P':
      return { kind: 'hold-possible', reason: 'not-in-full' };`,
        replacement: `    case 'P':
      return readApproval({ ...body, auth_amount: String(asked.amountCents / 100) }, asked.amountCents);`,
      },
    ],
  },
  {
    name: 'a hold that the bank wants verified is accepted',
    edits: [
      {
        file: 'gateway/usaepay/provider-answers.ts',
        find: `    case 'V':
      return { kind: 'hold-possible', reason: 'verification' };`,
        replacement: `    case 'V':
      return readApproval({ ...body, auth_amount: String(asked.amountCents / 100) }, asked.amountCents);`,
      },
    ],
  },
  {
    name: 'the answer to another charge is taken for our own',
    edits: [
      {
        file: 'gateway/usaepay/provider-answers.ts',
        find: `  if (body.is_duplicate === 'Y') return { kind: 'duplicate' };\n`,
        replacement: `  if (body.is_duplicate === 'Y') body.is_duplicate = 'N';\n`,
      },
    ],
  },
  {
    name: 'a payment that was abandoned is accepted',
    // Lets ended rows change; otherwise the database would refuse those writes and hide the bug.
    sql: `DROP TRIGGER keep_decided_intent ON payment_intent; DROP TRIGGER keep_ended_claim ON invoice_claim;
          DROP TRIGGER keep_terminal_charge ON charge`,
    edits: [
      {
        file: 'modules/payments/engine/decide.ts',
        find: 'return closedFor(intent, decision.event) ?? apply(',
        replacement: `const end = closedFor(intent, decision.event);
    const isHeard = decision.event !== 'accept' || intent.state === 'accepted';
    return (isHeard ? end : null) ?? apply(`,
      },
      {
        file: 'modules/payments/engine/charges.queries.ts',
        find: `id = \${approved.chargeId} AND intent_id = \${intentId} AND state = 'authorising'`,
        replacement: `id = \${approved.chargeId} AND intent_id = \${intentId} AND state IN ('authorising', 'abandoned')`,
      },
    ],
  },
  {
    name: 'a payment whose time is up is left to the sweep, whoever waits for it',
    edits: [
      {
        file: 'modules/payments/pay/replay/replay-payment.ts',
        find: '    if (intent.isExpired) await abandonExpired(deps, { intentId: intent.id });\n    else if',
        replacement: '    if',
      },
    ],
  },
  {
    name: 'an invoice stays claimed by a payment whose time is up',
    edits: [
      {
        file: 'modules/payments/pay/claim.ts',
        find: '      for (const { intentId } of blockedBy) await abandonExpired(deps, { intentId });\n',
        replacement: '',
      },
    ],
  },
  {
    name: 'an answer is replayed to another request',
    edits: [
      {
        file: 'modules/payments/pay/replay/replay-payment.ts',
        find: `    if (![requestHash, formerHash].includes(intent.requestHash))
      return refusalAnswer({ code: 'other-request' });
`,
        replacement: '',
      },
    ],
  },
  {
    name: 'what was paid at another price is replayed',
    edits: [
      {
        file: 'modules/payments/pay/replay/answer-other-press.ts',
        find: 'if (press.lines.every((line) => sawAsPriced(line, priced))) return null;',
        replacement: 'if (priced.length > 0) return null;',
      },
    ],
  },
  {
    name: 'accounts are opened after a restore without a look at their lists',
    attack: { group: 'restores', id: 'R04' },
    edits: [
      {
        file: 'modules/payments/restore/look-at-accounts.ts',
        find: '  const prefixes = await listOrderPrefixes(deps.db.query);\n',
        replacement: `  if (epoch) return storeLook(deps.db.query, { publicUrl, accountId, epoch, confirmBack: new Date() });
  const prefixes = await listOrderPrefixes(deps.db.query);
`,
      },
    ],
  },
  {
    name: 'a refund stands for the newest order when older books are looked for',
    attack: { group: 'restores', id: 'R13' },
    edits: [
      {
        file: 'modules/payments/restore/shows-the-newest.ts',
        find: 'return isFirst && !isRefund;',
        replacement: 'return isFirst;',
      },
    ],
  },
  {
    name: 'a capture is marked without asking',
    edits: [
      {
        file: 'modules/payments/sweep/sweep-charges.ts',
        find: `      return refusalFinding(outcome);
    case 'unknown':
      return 'no-answer';
`,
        replacement: `      return refusalFinding(outcome);
    case 'unknown':
      return 'confirm-capture';
`,
      },
    ],
  },
  {
    name: "the answer to another's capture is taken for our own",
    edits: [
      {
        file: 'gateway/usaepay/provider-answers.ts',
        find: 'return key === asked.transactionKey && isText(amount)',
        replacement: 'return key !== null && isText(amount)',
      },
    ],
  },
  {
    name: 'a capture of another amount is believed',
    edits: [
      {
        file: 'gateway/usaepay/provider-answers.ts',
        find: 'return key === asked.transactionKey && isText(amount) && parseDollars(amount) === asked.amountCents;',
        replacement: 'return key === asked.transactionKey && isText(amount);',
      },
    ],
  },
  {
    name: 'a hold is called released without confirmation',
    edits: [
      {
        file: 'modules/payments/sweep/sweep-charges.ts',
        find: "  return (await look()) ?? 'try-again';",
        replacement: `  if (charge.state === 'releasing') return 'confirm-release';
  return (await look()) ?? 'try-again';`,
      },
    ],
  },
  {
    name: "the sweep takes another's hold of the same amount",
    edits: [
      {
        file: 'modules/payments/sweep/find-holds.ts',
        find: 'const rows = (scan.byOrderId.get(charge.orderId) ?? []).filter(',
        replacement: `const alike = [...scan.byOrderId.values()].flat().filter((row) => row.amountCents === charge.amountCents);
    const rows = (scan.byOrderId.get(charge.orderId) ?? alike).filter(`,
      },
    ],
  },
  {
    name: 'the fence of a lease does not grow',
    // The database guards ended charges; without that guard the books show the bug.
    sql: 'DROP TRIGGER keep_terminal_charge ON charge',
    edits: [
      {
        file: 'modules/payments/sweep/leases.queries.ts',
        find: 'fence = c.fence + 1,\n  attempts = c.attempts + 1,',
        replacement: 'fence = c.fence,\n  attempts = c.attempts + 1,',
      },
    ],
  },
  {
    name: "leases end by the clock of the worker's own machine",
    edits: [
      {
        file: 'modules/payments/sweep/leases.queries.ts',
        find: `  lease_until = engine_now() + make_interval(secs => \${LEASE_SECONDS}), fence = c.fence + 1,`,
        replacement: `  lease_until = \${{ getSQL: () => sql\`to_timestamp(\${Date.now() / 1000 + LEASE_SECONDS}::float8)\` }}, fence = c.fence + 1,`,
      },
    ],
  },
  {
    name: 'the books are rewritten instead of added to',
    seed: 4,
    sql: 'DROP TRIGGER ledger_is_append_only ON ledger_entry',
    edits: [
      {
        file: 'modules/payments/engine/ledger.queries.ts',
        find: `    INSERT INTO ledger_entry (charge_id, invoice_id, account, direction, amount_cents, reason)
    SELECT charge_id, invoice_id, account,
           CASE direction WHEN 'debit' THEN 'credit' ELSE 'debit' END, amount_cents, 'reversal'
      FROM ledger_entry WHERE charge_id`,
        replacement: '    DELETE FROM ledger_entry WHERE charge_id',
      },
    ],
  },
  {
    name: 'the comparison gives back the hold of a payment that is under way',
    edits: [
      {
        file: 'modules/payments/books/compare-rows.ts',
        find: "ENDED_WITHOUT_HOLD: readonly ChargeState[] = ['refused', 'released', 'absent'];",
        replacement:
          "ENDED_WITHOUT_HOLD: readonly ChargeState[] = ['refused', 'released', 'absent', 'authorising', 'authorised'];",
      },
      {
        file: 'modules/payments/books/comparison.queries.ts',
        find: `AND p.state IN ('abandoned', 'declined')
       AND c.state IN ('refused', 'released', 'absent')`,
        replacement: '',
      },
    ],
  },
  ...PLANTED_REFUND_BUGS,
];
