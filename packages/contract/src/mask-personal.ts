const MASK = '[masked]';

/** Personal fields, as calls, forms and databases name them: lower case, without separators. */
const PERSONAL_FIELDS = new Set([
  ...[
    'email',
    'useremail',
    'customeremail',
    'recipient',
    'firstname',
    'lastname',
    'customername',
    'phone',
    'note',
  ],
  ...['street', 'street2', 'address', 'address2', 'addressline1', 'city', 'state', 'additionalservicesnote'],
  ...['zip', 'zipcode', 'postalcode', 'paymentkey', 'maskedcard', 'cardtype', 'cardref', 'trankey'],
  ...['token', 'accesstoken', 'refreshtoken', 'passwordtoken', 'password', 'authorization', 'cookie'],
  ...['xapisecret', 'pin', 'apikey'],
  // Accessible names may contain a place or a card.
  ...['arialabel', 'alt', 'title', 'placeholder'],
]);

/** Ids that link reports. One span id in 1,800 has no letter, so it looks like a card number. */
const REPORT_IDS = new Set(['eventid', 'traceid', 'spanid', 'parentspanid', 'segmentid', 'replayid']);
const REPORT_ID = /^[\da-f]{16}$|^[\da-f]{32}$/;

const PATTERNS: [pattern: RegExp, replacement: string][] = [
  // The query of a URL, anywhere in a text.
  [/\?[\w.%[\]-]+=[^\s"'<>\\)]*/g, ''],
  // Accessible names inside CSS selectors.
  [/\[(aria-label|alt|title|placeholder)="[^"]*"\]/g, ''],
  [/[^\s"'<>()[\]{}/?=&:;,@]+(@|%40)[\w-]+(\.[\w-]+)*\.[a-z]{2,}/gi, MASK],
  // Keys, tokens and signatures. Trace and report ids are shorter.
  [/[\w-]{40,}/g, MASK],
  // Numbers as long as card numbers, outside hexadecimal ids.
  [/(?<![\da-f-])\d(?:[ -]?\d){12,18}(?![\da-f-])/gi, MASK],
];

/** Masks what may be personal or secret in a text. */
export function maskText(text: string): string {
  return PATTERNS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

/**
 * A copy of any JSON value with personal data and secrets masked: fields that are personal by name lose
 * their value, and every text goes through `maskText`.
 */
export function maskPersonal<Value>(value: Value): Value {
  return maskAny(value) as Value;
}

function maskAny(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskAny);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, maskField(name, part)]));
}

function maskField(name: string, value: unknown): unknown {
  const field = withoutMarks(name);
  if (PERSONAL_FIELDS.has(field)) return value === null || value === undefined ? value : MASK;
  if (REPORT_IDS.has(field) && typeof value === 'string' && REPORT_ID.test(value)) return value;
  return maskAny(value);
}

/** `lastName`, `last_name` and `last-name` are the same field. */
function withoutMarks(name: string): string {
  return name.replace(/[^a-z\d]/gi, '').toLowerCase();
}
