/** A mistake that somebody could make in the engine. The simulation must notice it. */
export type PlantedBug = {
  name: string;
  /** Under apps/api/src. */
  file: string;
  /** Stands in the file once. */
  find: string;
  replacement: string;
  /** Where to begin to look: a seed that is known to notice it. */
  seed: number;
};

export const PLANTED_BUGS: PlantedBug[] = [
  {
    name: 'the balance is read before the claim',
    seed: 5,
    file: 'modules/payments/claim.ts',
    find: `  await lockInvoices(tx, invoiceIds);
  if ((await insertClaims(tx, { intentId, invoiceIds })) < invoiceIds.length) {
    const blocking = await findBlockingClaims(tx, { intentId, invoiceIds });
    const blockedBy = blocking.map((block) => ({ ...block, ...numbersOf(resolved, block.invoiceId) }));
    throw new TakenBack({ blockedBy });
  }
  deps.crashPoint('02-inside-claim');
  const invoices = await readPayableInvoices(tx, { invoiceIds, userId: basket.userId });
`,
    replacement: `  const invoices = await readPayableInvoices(tx, { invoiceIds, userId: basket.userId });
  await lockInvoices(tx, invoiceIds);
  if ((await insertClaims(tx, { intentId, invoiceIds })) < invoiceIds.length) {
    const blocking = await findBlockingClaims(tx, { intentId, invoiceIds });
    const blockedBy = blocking.map((block) => ({ ...block, ...numbersOf(resolved, block.invoiceId) }));
    throw new TakenBack({ blockedBy });
  }
  deps.crashPoint('02-inside-claim');
`,
  },
  {
    name: 'an invoice is claimed twice',
    seed: 5,
    file: 'modules/payments/claim.ts',
    find: 'if ((await insertClaims(tx, { intentId, invoiceIds })) < invoiceIds.length) {',
    replacement: 'await insertClaims(tx, { intentId, invoiceIds });\n  if (Math.random() > 1) {',
  },
  {
    name: 'a hold is asked for again after a time-out',
    seed: 10,
    file: 'modules/payments/authorise-charge.ts',
    find: '  const outcome = await deps.gateways.of(keys).authorise({\n    ...request,',
    replacement:
      "  const ask = deps.gateways.of(keys).authorise;\n  const again = async (each: Parameters<typeof ask>[0]) => {\n    const first = await ask(each);\n    return first.kind === 'unknown' ? ask(each) : first;\n  };\n  const outcome = await again({\n    ...request,",
  },
  {
    name: 'a capture is marked without asking',
    seed: 42,
    file: 'modules/payments/settle-charges.ts',
    find: "    case 'unknown':\n      return 'try-again';\n  }\n}\n\nfunction captureFinding",
    replacement: "    case 'unknown':\n      return 'confirm-capture';\n  }\n}\n\nfunction captureFinding",
  },
  {
    name: 'a hold is called released without confirmation',
    seed: 20,
    file: 'modules/payments/settle-charges.ts',
    find: "  return releaseFinding(await findTransaction(deps, charge)) ?? 'try-again';",
    replacement: "  return 'confirm-release';",
  },
];
