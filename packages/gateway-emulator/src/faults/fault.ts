/** Faults in how the answer is delivered. */
const DELIVERY_FAULTS = [
  'hang',
  'reset',
  'status',
  'truncate',
  'html',
  'bad-json',
  'empty',
  'null',
  'array',
  'bom',
  'duplicate-keys',
  'number-strings',
  'nan',
  'oversized',
  'gzip-bomb',
  'slow-bytes',
  'slow-headers',
  'redirect',
] as const;

/** Faults in a readable answer, which contradict the ledger. */
const ANSWER_FAULTS = ['wrong', 'wrong-orderid', 'duplicate', 'duplicate-other'] as const;

/** Outcomes that the processor decides, recorded in the ledger too. */
export const OUTCOME_FAULTS = ['partial', 'verify', 'error', 'decline'] as const;

/** Faults in timing. */
const TIMING_FAULTS = ['slow', 'late'] as const;

/** Faults in the list of transactions. */
export const LIST_FAULTS = [
  'list-shift',
  'list-missing',
  'list-empty-page',
  'list-lag',
  'list-stale',
  'list-duplicates',
  'list-unordered',
] as const;

const FAULT_KINDS = [
  ...DELIVERY_FAULTS,
  ...ANSWER_FAULTS,
  ...OUTCOME_FAULTS,
  ...TIMING_FAULTS,
  ...LIST_FAULTS,
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  fault: FaultKind;
  /** Whether the call takes effect: with `before` nothing happened, with `after` everything did. */
  when: 'before' | 'after';
  /** A command, a route such as `list`, `get`, `payment_keys` or `tokens`, or `*`; default any POST /transactions. */
  command?: string;
  /** The order id of the request, or of the transaction it names. */
  orderId?: string;
  /** The invoice number of the request, or of the transaction it names. */
  invoice?: string;
  /** How many calls it affects. */
  times: number;
  /** How many matching calls pass first. */
  after: number;
  /** For `status`, `html` and `redirect`. */
  status?: number;
  /** For `slow`, `slow-bytes`, `slow-headers`, `late`, `list-lag` and `list-stale`. */
  seconds?: number;
  /** For `status`: the exact body. */
  body?: string;
  /** For `wrong`: fields that override the answer's own. */
  answer?: Record<string, unknown>;
}

const NUMBERS = ['times', 'after', 'status', 'seconds'] as const;
const TEXTS = ['command', 'orderId', 'invoice', 'body'] as const;

/** Faults with a readable answer default to `after`: by then the call has happened. */
function defaultWhen(kind: FaultKind): 'before' | 'after' {
  const readable: readonly string[] = [...ANSWER_FAULTS, ...OUTCOME_FAULTS, ...LIST_FAULTS, 'late'];
  return readable.includes(kind) ? 'after' : 'before';
}

/** Parses a fault from the faults call; returns a message if it is invalid. */
export function readFault(sent: Record<string, unknown>): Fault | string {
  const kind = FAULT_KINDS.find((name) => name === sent.fault);
  if (!kind) return `fault must be one of ${FAULT_KINDS.join(', ')}`;
  if (sent.when !== undefined && sent.when !== 'before' && sent.when !== 'after')
    return 'when must be before or after';
  const fault: Fault = { fault: kind, when: sent.when ?? defaultWhen(kind), times: 1, after: 0 };
  for (const name of NUMBERS) {
    const value = sent[name];
    if (value === undefined) continue;
    if (typeof value !== 'number' || value < 0) return `${name} must be a number`;
    fault[name] = value;
  }
  for (const name of TEXTS) {
    const value = sent[name];
    if (value === undefined) continue;
    if (typeof value !== 'string') return `${name} must be a text`;
    fault[name] = value;
  }
  if (sent.answer !== undefined) {
    if (typeof sent.answer !== 'object' || sent.answer === null) return 'answer must be an object';
    fault.answer = sent.answer as Record<string, unknown>;
  }
  return fault;
}
