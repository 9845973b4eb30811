import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { recordOfficeAct } from '../../acts/record-office-act.ts';
import { updateStaff } from '../people/staff.queries.ts';

export async function changeAccount(
  { db }: Pick<Deps, 'db'>,
  { caller, shortcuts }: { caller: OfficeCaller; shortcuts: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    await updateStaff(tx, { id: caller.id, shortcuts });
    await recordOfficeAct(tx, caller, {
      action: 'change-account',
      subject: `staff ${caller.id}`,
      after: { shortcuts },
    });
  });
}
