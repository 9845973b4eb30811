import {
  AUDIT_FACTS,
  AUDIT_FIELDS,
  type AuditFact,
  type AuditField,
} from '@brightpane/contract/office/words/audit-fields';
import type { Role } from '@brightpane/contract/office-rights';
import { rightsWords } from '../../lib/me/right-words.ts';
import { roleWord } from '../../lib/me/role-words.ts';
import { formatDay } from '../../lib/times.ts';
import { usd } from '../../ui/fields/dollars.tsx';

/** `refund daad24aa-7ac4-…` → `Refund daad24aa`, which **Search** finds too. */
export const subjectWords = (subject: string): string =>
  capitalized(
    subject
      .replaceAll(/([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '$1')
      .replace(/^api-key /, 'API key '),
  );

export const fieldWords = (field: string): string => (isKnown(field) ? AUDIT_FIELDS[field] : field);

const isKnown = (field: string): field is AuditField => field in AUDIT_FIELDS;

/** A further fact: `rows`, 12 → `Rows: 12`. */
export function factWords(fact: string, value: unknown): string {
  const name = fact in AUDIT_FACTS ? AUDIT_FACTS[fact as AuditFact] : fact;
  return `${name}: ${fact === 'filters' ? filterWords(value as object) : valueWords(fact, value)}`;
}

const filterWords = (filters: object): string =>
  Object.entries(filters)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || 'None';

/** A value before or after, as text. */
export function valueWords(field: string, value: unknown): string {
  if (value === undefined || value === '') return '–';
  if (value === null) return field === 'franchiseId' ? 'All franchises' : '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const written = isKnown(field) ? WRITTEN[field] : undefined;
  if (written) return written(value as never);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** How values of these fields are written; all others stand as they are. */
const WRITTEN: { [Field in AuditField]?: (value: never) => string } = {
  role: (role: Role) => roleWord(role),
  rights: rightsWords,
  franchiseIds: (ids: number[]) => ids.join(', ') || 'All',
  factors: (factors: { kind: string; name: string }[]) =>
    factors.map(({ kind, name }) => `${kindWords(kind)} “${name}”`).join(', ') || '–',
  kind: kindWords,
  state: stateWords,
  publicId: (id: string) => `bpo_${id}`,
  maxCreditPercent: (percent: number) => `${percent}%`,
  refundLimit: usd,
  refundDayLimit: usd,
  amountCents: (amount: number) => usd(amount / 100),
  openedOn: formatDay,
};

/** Of a factor, or of a difference from the provider’s books. */
function kindWords(kind: string): string {
  return kind === 'totp' ? 'Authenticator app' : stateWords(kind);
}

/** `not-made` → `Not made`. */
function stateWords(state: string): string {
  return capitalized(state.replaceAll('-', ' '));
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
