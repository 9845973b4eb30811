import type { FranchiseAnswer, FranchiseSettings } from '@brightpane/contract/office';
import type { FranchiseSettingsPage } from '@brightpane/contract/office/settings';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';
import { rowVersion } from '../../../db/statements/row-version.queries.ts';
import { selectChargedAccount } from '../../merchant-accounts/merchant-accounts.queries.ts';

/** Sets the given columns, undefined ones to null. False if there is no such franchise. */
export async function updateFranchise(
  tx: Queryable,
  { franchiseId, ...columns }: { franchiseId: number } & Omit<FranchiseSettings, 'gateway'>,
): Promise<boolean> {
  const {
    name = null,
    timeZone = null,
    maxCreditPercent = null,
    refundLimit = null,
    refundDayLimit = null,
  } = columns;
  const named = (key: 'phone' | 'email' | 'address', column: SQL) =>
    key in columns ? sql`${columns[key] ?? null}` : column;
  const rows = await query(tx)`
    UPDATE franchise SET
      name = coalesce(${name}, name), time_zone = coalesce(${timeZone}, time_zone),
      max_credit_percent = coalesce(${maxCreditPercent}, max_credit_percent),
      refund_limit_cents = coalesce(${refundLimit}, refund_limit_cents),
      refund_day_limit_cents = coalesce(${refundDayLimit}, refund_day_limit_cents),
      phone = ${named('phone', sql`phone`)}, email = ${named('email', sql`email`)},
      address = ${named('address', sql`address`)}
     WHERE id = ${franchiseId} RETURNING id`;
  return rows.length === 1;
}

export async function findFranchise(tx: Queryable, franchiseId: number): Promise<FranchiseAnswer> {
  type Row = Omit<FranchiseAnswer, 'refundLimit' | 'refundDayLimit' | 'gateway'> &
    Limits & { publicKey: string | null };
  const [row] = await query<Row>(tx)`
    SELECT f.id AS "franchiseId", f.name, f.phone, f.email, f.address, f.time_zone AS "timeZone",
           f.max_credit_percent AS "maxCreditPercent", f.refund_limit_cents AS "refundLimitCents",
           f.refund_day_limit_cents AS "refundDayLimitCents", m.public_key AS "publicKey"
      FROM franchise f LEFT JOIN merchant_account m ON m.franchise_id = f.id AND m.replaced_at IS NULL
     WHERE f.id = ${franchiseId}`;
  if (!row) throw new Error(`franchise ${franchiseId} is not there`);
  const { publicKey, refundLimitCents, refundDayLimitCents, ...settings } = row;
  return {
    ...settings,
    ...limits({ refundLimitCents, refundDayLimitCents }),
    gateway: publicKey === null ? null : { publicKey },
  };
}

type Limits = { refundLimitCents: number; refundDayLimitCents: number };

/** Converts cents to the wire's dollars. */
const limits = (row: Limits) => ({
  refundLimit: toDollars(cents(row.refundLimitCents)),
  refundDayLimit: toDollars(cents(row.refundDayLimitCents)),
});

/** Locks out other writers of the settings until the transaction ends. */
export async function lockFranchise(tx: Queryable, franchiseId: number): Promise<void> {
  await query(tx)`SELECT FROM franchise WHERE id = ${franchiseId} FOR NO KEY UPDATE`;
}

/** The settings, with the merchant account of the next charge. The version covers all of it. */
export async function findSettings(db: Queryable, franchiseId: number): Promise<FranchiseSettingsPage> {
  type Row = Omit<FranchiseSettingsPage, 'refundLimit' | 'refundDayLimit'> & Limits;
  const rows = await query<Row>(db)`
    SELECT f.id AS "franchiseId", f.name, f.phone, f.email, f.address, f.time_zone AS "timeZone",
           f.max_credit_percent AS "maxCreditPercent", f.refund_limit_cents AS "refundLimitCents",
           f.refund_day_limit_cents AS "refundDayLimitCents",
           json_build_object('merchantAccountId', m.id, 'publicKey', m.public_key, 'since', m.created_at,
                             'kind', CASE WHEN m.franchise_id IS NULL THEN 'portal' ELSE 'own' END) AS "merchantAccount",
           ${rowVersion(sql`concat_ws(' ', f::text, m.id)`)} AS version
      FROM franchise f
     CROSS JOIN LATERAL (${selectChargedAccount(sql`m.*`, sql`f.id`)}) AS m
     WHERE f.id = ${franchiseId}`;
  const [settings] = rows;
  if (!settings) throw new Error(`franchise ${franchiseId} is not there`);
  const { refundLimitCents, refundDayLimitCents, ...page } = settings;
  return { ...page, ...limits({ refundLimitCents, refundDayLimitCents }) };
}
