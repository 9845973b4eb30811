import type { AuditFilters } from '@brightpane/contract/office/audit';
import { actsNamed, PUNCTUATION } from '@brightpane/contract/office/words/audit-words';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { containing, startingWith } from '../../../db/like.ts';
import { instantText, listOf, query } from '../../../db/query.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { MOST_CANDIDATES } from '../lists/pages.ts';
import { shownActor } from './audit-actors.queries.ts';
import { personOf } from './audit-persons.queries.ts';

export type AuditRow = {
  id: number;
  at: string;
  timeZone: string;
  /** In the franchise's time zone. */
  day: string;
  actor: string;
  action: string;
  subject: string;
  franchiseId: number | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
  detail: Record<string, unknown>;
  /** The address of whom it was about. */
  person: string | null;
  requestId: string | null;
  /** Not a match, but where the page stopped looking. */
  isEnd: boolean;
};

export type AuditPlace = { at: string; id: number };

type Asked = {
  reader: Pick<OfficeCaller, 'id' | 'isForAll'>;
  filters: AuditFilters;
  after: AuditPlace | null;
};

/** No time zone is further from UTC, so rows beyond this can be skipped. */
const ZONE_REACH = sql`interval '14 hours'`;

/**
 * Reads the newest `most` acts that the reader may see and marks which match the filters. An office sees acts on its
 * own franchises, and of those that concerned several the ones whose every franchise is its own; a reader of all
 * franchises also sees acts on none.
 */
const lookedAt = ({ reader, filters, after }: Asked, most: number | null): SQL => {
  const limit = most === null ? sql`` : sql`LIMIT ${most}`;
  const { franchiseId, from, to } = filters;
  const place = after ? sql`(a.at, a.id) < (${after.at}::timestamptz, ${after.id})` : sql`true`;
  const days = sql`
    ${from === undefined ? sql`true` : sql`a.at >= ${from}::date::timestamp AT TIME ZONE 'UTC' - ${ZONE_REACH}`}
    AND ${to === undefined ? sql`true` : sql`a.at < (${to}::date + 1)::timestamp AT TIME ZONE 'UTC' + ${ZONE_REACH}`}`;
  const newest = (condition: SQL) => sql`
    SELECT * FROM audit_event a WHERE ${condition} AND ${place} AND ${days}
     ORDER BY a.at DESC, a.id DESC ${limit}`;
  if (reader.isForAll && franchiseId === undefined) return newest(sql`true`);
  const asked = franchiseId ?? null;
  const seen = sql`SELECT v.franchise_id FROM visible_franchise v WHERE v.actor_id = ${reader.id}`;
  return sql`
    SELECT own.* FROM (
      SELECT of_office.* FROM (${seen}) AS v
       CROSS JOIN LATERAL (${newest(sql`a.franchise_id = v.franchise_id`)}) AS of_office
       WHERE ${asked}::integer IS NULL OR v.franchise_id = ${asked}
      UNION ALL
      -- OFFSET 0 finds them by their offices: along the time all acts might be read.
      (SELECT a.* FROM (
         SELECT e.* FROM audit_event e
          WHERE ${reader.isForAll ? sql`true` : sql`e.franchise_ids <@ ARRAY(${seen})`}
            AND ${franchiseId === undefined ? sql`true` : sql`e.franchise_ids @> ${listOf([franchiseId], 'integer')}`} OFFSET 0) AS a
        WHERE ${place} AND ${days} ORDER BY a.at DESC, a.id DESC ${limit})) AS own
     ORDER BY own.at DESC, own.id DESC ${limit}`;
};

/** Several keys may have one name, so a key that we made is named with its public id. */
const ACTOR = sql`a.actor || coalesce(' (' || k.public_id || ')', '')`;

/** An act with its franchise, and the key that did it unless that one is in the settings. */
const withNames = sql`
  LEFT JOIN franchise f ON f.id = a.franchise_id
  LEFT JOIN office_api_key k ON k.id = a.actor_id AND k.key_hash IS NOT NULL`;

/** By an act's words as screens show them, or by the beginning of its name. */
const fitsWhat = (what: string): SQL => sql`(
  a.action ILIKE ${startingWith(what)} OR a.action = ANY(${listOf(actsNamed(what), 'text')})
  OR regexp_replace(a.action, ${PUNCTUATION.source}, ' ', 'g') ILIKE ${containing(what)})`;

const fits = ({ search, who, what, from, to }: AuditFilters): SQL => sql`
  ${search === undefined ? sql`true` : sql`concat_ws(' ', a.subject, a.actor, a.reason, a.detail ->> 'paymentId', a.detail ->> 'recipient') ILIKE ${containing(search.trim())}`}
  AND ${who === undefined ? sql`true` : sql`concat_ws(' ', a.actor, ${shownActor(ACTOR)}) ILIKE ${containing(who)}`}
  AND ${what === undefined ? sql`true` : fitsWhat(what)}
  AND (a.at AT TIME ZONE coalesce(f.time_zone, 'UTC'))::date
      BETWEEN coalesce(${from ?? null}::date, '-infinity') AND coalesce(${to ?? null}::date, 'infinity')`;

const ACT = sql`
  a.id, ${instantText(sql`a.at`)} AS at, coalesce(f.time_zone, 'UTC') AS "timeZone",
  (a.at AT TIME ZONE coalesce(f.time_zone, 'UTC'))::date::text AS day, ${ACTOR} AS actor, a.action, a.subject,
  a.franchise_id AS "franchiseId", a.before, a.after, a.reason, a.detail, a.request_id AS "requestId"`;

/** All matching acts. */
export const exportedActs = (asked: Omit<Asked, 'after'>): SQL => sql`
  SELECT ${ACT}, ${personOf(sql`a`)} AS person
    FROM (${lookedAt({ ...asked, after: null }, null)}) AS a ${withNames}
   WHERE ${fits(asked.filters)}
   ORDER BY a.at DESC, a.id DESC`;

/** A page of matching acts; `lookedTo` is where it stopped looking, if there was more. */
export async function listActs(
  db: Queryable,
  { limit, ...asked }: Asked & { limit: number },
): Promise<{ rows: AuditRow[]; lookedTo: (AuditPlace & { day: string }) | null }> {
  const rows = await query<AuditRow>(db)`
    WITH candidate AS MATERIALIZED (${lookedAt(asked, MOST_CANDIDATES)}),
    judged AS (
      SELECT ${ACT},
             ${fits(asked.filters)} AS fits, a.at AS instant,
             row_number() OVER (ORDER BY a.at DESC, a.id DESC) AS place
        FROM candidate a ${withNames})
    SELECT found.*, ${personOf(sql`found`)} AS person
      FROM ((SELECT judged.*, false AS "isEnd" FROM judged WHERE fits ORDER BY instant DESC, id DESC LIMIT ${limit})
            UNION ALL
            (SELECT judged.*, true FROM judged WHERE place = ${MOST_CANDIDATES})) AS found
     ORDER BY instant DESC, id DESC`;
  const end = rows.find(({ isEnd }) => isEnd);
  return { rows: rows.filter(({ isEnd }) => !isEnd), lookedTo: end ?? null };
}
