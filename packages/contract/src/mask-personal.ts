const MASK = '[masked]';

/** Fields of cards, billing, mail and sign-in, in the words of calls, forms and databases: without marks, in lower case. */
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
  // What elements of a page are called for people may name a place or a card.
  ...['arialabel', 'alt', 'title', 'placeholder'],
]);

/** Fields of a report that tie it to others. Of spans' ids, every 1,800th has no letter and looks like a card number. */
const REPORT_IDS = new Set(['eventid', 'traceid', 'spanid', 'parentspanid', 'segmentid', 'replayid']);
const REPORT_ID = /^[\da-f]{16}$|^[\da-f]{32}$/;

const PATTERNS: [pattern: RegExp, replacement: string][] = [
  // The query of an address, wherever in a text it stands.
  [/\?[\w.%[\]-]+=[^\s"'<>\\)]*/g, ''],
  // What people are told an element is, in the selector that stands for it.
  [/\[(aria-label|alt|title|placeholder)="[^"]*"\]/g, ''],
  [/[^\s"'<>()[\]{}/?=&:;,@]+(@|%40)[\w-]+(\.[\w-]+)*\.[a-z]{2,}/gi, MASK],
  // Keys, tokens and signatures. Ids of traces and reports are shorter.
  [/[\w-]{40,}/g, MASK],
  // Numbers as long as those of cards, outside the hexadecimal ids.
  [/(?<![\da-f-])\d(?:[ -]?\d){12,18}(?![\da-f-])/gi, MASK],
];

/** The text without what may be personal or secret in it. */
export function maskText(text: string): string {
  return PATTERNS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

/**
 * A copy of anything that JSON can hold, without what may be personal or secret in it: fields that are personal by name
 * lose their value, and what can be told by its form is taken out of every text.
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

/** `lastName`, `last_name` and `last-name` are one field. */
function withoutMarks(name: string): string {
  return name.replace(/[^a-z\d]/gi, '').toLowerCase();
}
