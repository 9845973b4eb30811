/** Card numbers that were found in a text, digits only. It shares no code with the portal's own check, on purpose. */
export function findCardNumbers(text: string): string[] {
  const found = spellingsOf(text, 2).flatMap((spelling) =>
    (withoutCodes(spelling).match(DIGITS) ?? []).flatMap(cardNumbersIn),
  );
  return [...new Set(found)];
}

/** Digits with little between them, as people and programs write a number in parts. */
const DIGITS = /\d(?:[ \t.\-–—_/\u00a0]{0,2}\d){12,}/g;

/** Ids, hashes, times and fractions, in which digits stand beside each other by chance. */
const CODES = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b(?=[0-9]*[a-f])[0-9a-f]{24,}\b/gi,
  /\b[0-9a-f]{32}-[0-9a-f]{16}\b/gi,
  /span_id\W{1,4}[0-9a-f]{16}\b/gi,
  /\b\d+\.\d{5,}\b/g,
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[+-]\d\d(?::?\d\d)?|Z)?/g,
];

function withoutCodes(text: string): string {
  return CODES.reduce((rest, code) => rest.replaceAll(code, ' # '), text);
}

/** The parts of a run that begin and end where one of its groups does. */
function cardNumbersIn(run: string): string[] {
  const groups = run.split(/\D+/);
  return groups.flatMap((_group, start) =>
    groups
      .slice(start)
      .map((_each, length) => groups.slice(start, start + length + 1).join(''))
      .filter(isCardNumber),
  );
}

/** How the numbers of each issuer begin, and how long they are. */
const ISSUERS: [name: string, beginning: RegExp, lengths: number[]][] = [
  ['Visa', /^4/, [13, 16, 19]],
  ['MasterCard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  ['American Express', /^3[47]/, [15]],
  ['Diners Club', /^3(0[0-5]|[689])/, [14, 16, 19]],
  ['JCB', /^35(2[89]|[3-8])/, [16, 17, 18, 19]],
  ['Discover', /^6(011|4[4-9]|5)/, [16, 17, 18, 19]],
  ['UnionPay', /^62/, [16, 17, 18, 19]],
  ['Maestro', /^(50|5[6-9]|6[37])/, [13, 14, 15, 16, 17, 18, 19]],
];

function isCardNumber(digits: string): boolean {
  return (
    ISSUERS.some(([, beginning, lengths]) => beginning.test(digits) && lengths.includes(digits.length)) &&
    checkSum(digits) % 10 === 0
  );
}

function checkSum(digits: string): number {
  const doubled = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
  return [...digits]
    .reverse()
    .reduce(
      (sum, digit, index) => sum + (index % 2 === 0 ? Number(digit) : (doubled[Number(digit)] ?? 0)),
      0,
    );
}

/** The text itself, and what it says once its escapes are undone: of addresses, of JSON, base64, and Postgres bytes. */
function spellingsOf(text: string, depth: number): string[] {
  if (depth === 0) return [text];
  const undone = [
    text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
    text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    ...(text.match(/[A-Za-z0-9+/_-]{18,}={0,2}/g) ?? []).map(fromBase64),
    ...[...text.matchAll(/\\x([0-9a-f]{26,})/gi)].map(([, hex = '']) =>
      Buffer.from(hex, 'hex').toString('latin1'),
    ),
  ].filter((other) => other !== text && /\d/.test(other));
  return [text, ...undone.flatMap((other) => spellingsOf(other, depth - 1))];
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('latin1');
}
