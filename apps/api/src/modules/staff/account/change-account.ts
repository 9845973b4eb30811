import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { updateStaff } from '../people/staff.queries.ts';

export async function changeAccount(
  { db }: Pick<Deps, 'db'>,
  { caller, shortcuts }: { caller: OfficeCaller; shortcuts: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    await updateStaff(tx, { id: caller.id, shortcuts });
    await recordAct(tx, caller, {
      action: 'change-account',
      subject: `staff ${caller.id}`,
      after: { shortcuts },
    });
  });
}
