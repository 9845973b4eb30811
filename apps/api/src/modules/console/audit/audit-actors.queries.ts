import type { AuditItem } from '@brightpane/contract/office/audit';
import { keyWords, whoWords } from '@brightpane/contract/office/words/actor-words';
import { type SQL, sql } from 'drizzle-orm';

const KEY = 'key:';
const PORTAL = 'portal';
/** Before staff accounts existed, everything was done with the office key. */
const OFFICE = 'office';

/** An actor as `audit_event` keeps them. */
export function whoIs(actor: string): AuditItem['who'] {
  if (actor === PORTAL) return { kind: 'portal', name: actor };
  if (actor === OFFICE) return { kind: 'key', name: 'environment' };
  if (actor.startsWith(KEY)) return { kind: 'key', name: actor.slice(KEY.length) };
  return { kind: 'staff', name: actor };
}

/** The words that the list shows for an actor who isn't a person, for a filter. */
export const shownActor = (actor: SQL): SQL => sql`
  CASE WHEN ${actor} = ${PORTAL} THEN ${whoWords(whoIs(PORTAL))} WHEN ${actor} = ${OFFICE} THEN ${whoWords(whoIs(OFFICE))}
       WHEN starts_with(${actor}, ${KEY}) THEN ${keyWords('')} || substr(${actor}, ${KEY.length + 1}::integer) END`;
