import type { FranchiseAnswer, FranchiseSettings } from '@brightpane/contract/office';
import { and, eq, isNull } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { franchise, merchantAccount } from '../../db/schema/franchises.ts';

/** Sets the columns that are named, an undefined one to null. False where the franchise is not there. */
export async function updateFranchise(
  tx: Queryable,
  { franchiseId, ...columns }: { franchiseId: number } & Omit<FranchiseSettings, 'gateway'>,
): Promise<boolean> {
  const { phone = null, email = null, address = null } = columns;
  const rows = await tx
    .update(franchise)
    .set({
      id: franchiseId, // an update that sets nothing is not one
      ...(columns.name !== undefined && { name: columns.name }),
      ...(columns.timeZone !== undefined && { timeZone: columns.timeZone }),
      ...(columns.maxCreditPercent !== undefined && { maxCreditPercent: columns.maxCreditPercent }),
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
      publicKey: merchantAccount.publicKey,
    })
    .from(franchise)
    .leftJoin(
      merchantAccount,
      and(eq(merchantAccount.franchiseId, franchise.id), isNull(merchantAccount.replacedAt)),
    )
    .where(eq(franchise.id, franchiseId));
  if (!row) throw new Error(`franchise ${franchiseId} is not there`);
  const { publicKey, ...settings } = row;
  return { ...settings, gateway: publicKey === null ? null : { publicKey } };
}
