import type { FranchiseSettingsPage } from '@brightpane/contract/office/settings';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';
import { isFranchiseVisible } from '../../acts/visible-franchises.queries.ts';
import { findSettings } from './franchises.queries.ts';

export async function readFranchise(
  { db }: Pick<Deps, 'db'>,
  { franchiseId, reader }: { franchiseId: number; reader: OfficeCaller },
): Promise<Success<FranchiseSettingsPage> | Failure<'not-found'>> {
  if (!(await isFranchiseVisible(db.query, { actorId: reader.id, franchiseId }))) return fail('not-found');
  return ok(await findSettings(db.query, franchiseId));
}
