import type { FranchiseAnswer, FranchiseSettings } from '@brightpane/contract/office';
import type { FranchiseSettingsPage } from '@brightpane/contract/office/settings';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { franchise, merchantAccount } from '../../../db/schema/franchises.ts';

/** Sets the given columns, undefined ones to null. False if there is no such franchise. */
export async function updateFranchise(
  tx: Queryable,
  { franchiseId, ...columns }: { franchiseId: number } & Omit<FranchiseSettings, 'gateway'>,
): Promise<boolean> {
  const { phone = null, email = null, address = null } = columns;
  const rows = await tx
    .update(franchise)
    .set({
      id: franchiseId, // an update needs at least one column
      ...(columns.name !== undefined && { name: columns.name }),
      ...(columns.timeZone !== undefined && { timeZone: columns.timeZone }),
      ...(columns.maxCreditPercent !== undefined && { maxCreditPercent: columns.maxCreditPercent }),
      ...(columns.refundLimit !== undefined && { refundLimitCents: columns.refundLimit }),
      ...(columns.refundDayLimit !== undefined && { refundDayLimitCents: columns.refundDayLimit }),
      ...('phone' in columns && { phone }),
      ...('email' in columns && { email }),
      ...('address' in columns && { address }),
    })
    .where(eq(franchise.id, franchiseId))
    .returning({ id: franchise.id });
  return rows.length === 1;
}

export async function findFranchise(tx: Queryable, franchiseId: number): Promise<FranchiseAnswer> {
  const [row] = await tx
    .select({
      franchiseId: franchise.id,
      name: franchise.name,
      phone: franchise.phone,
      email: franchise.email,
      address: franchise.address,
      timeZone: franchise.timeZone,
      maxCreditPercent: franchise.maxCreditPercent,
      refundLimitCents: franchise.refundLimitCents,
      refundDayLimitCents: franchise.refundDayLimitCents,
      publicKey: merchantAccount.publicKey,
    })
    .from(franchise)
    .leftJoin(
      merchantAccount,
      and(eq(merchantAccount.franchiseId, franchise.id), isNull(merchantAccount.replacedAt)),
    )
    .where(eq(franchise.id, franchiseId));
  if (!row) throw new Error(`franchise ${franchiseId} is not there`);
  const { publicKey, refundLimitCents, refundDayLimitCents, ...settings } = row;
  return {
    ...settings,
    ...limits({ refundLimitCents, refundDayLimitCents }),
    gateway: publicKey === null ? null : { publicKey },
  };
}

/** Converts cents to the wire's dollars. */
const limits = (row: { refundLimitCents: number; refundDayLimitCents: number }) => ({
  refundLimit: toDollars(cents(row.refundLimitCents)),
  refundDayLimit: toDollars(cents(row.refundDayLimitCents)),
});

/** Locks out other writers of the settings until the transaction ends. */
export async function lockFranchise(tx: Queryable, franchiseId: number): Promise<void> {
  await tx.select().from(franchise).where(eq(franchise.id, franchiseId)).for('no key update');
}

/** The settings, with the merchant account of the next charge. The version covers all of it. */
export async function findSettings(db: Queryable, franchiseId: number): Promise<FranchiseSettingsPage> {
  type Row = Omit<FranchiseSettingsPage, 'refundLimit' | 'refundDayLimit'> & Parameters<typeof limits>[0];
  const { rows } = await db.execute<Row>(sql`
    SELECT f.id AS "franchiseId", f.name, f.phone, f.email, f.address, f.time_zone AS "timeZone",
           f.max_credit_percent AS "maxCreditPercent", f.refund_limit_cents AS "refundLimitCents",
           f.refund_day_limit_cents AS "refundDayLimitCents",
           json_build_object('merchantAccountId', m.id, 'publicKey', m.public_key, 'since', m.created_at,
                             'kind', CASE WHEN m.franchise_id IS NULL THEN 'portal' ELSE 'own' END) AS "merchantAccount",
           ('x' || left(md5(concat_ws(' ', f::text, m.id)), 7))::bit(28)::integer AS version
      FROM franchise f
     CROSS JOIN LATERAL (
       SELECT * FROM merchant_account
        WHERE (franchise_id = f.id OR franchise_id IS NULL) AND replaced_at IS NULL
        ORDER BY franchise_id NULLS LAST LIMIT 1) AS m
     WHERE f.id = ${franchiseId}`);
  const [settings] = rows;
  if (!settings) throw new Error(`franchise ${franchiseId} is not there`);
  const { refundLimitCents, refundDayLimitCents, ...page } = settings;
  return { ...page, ...limits({ refundLimitCents, refundDayLimitCents }) };
}
