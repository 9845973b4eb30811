import type { KeysTest } from '@brightpane/contract/office/settings';
import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';
import { isFranchiseVisible } from '../../acts/visible-franchises.queries.ts';
import { countWithin } from '../../limits/check-limits.ts';
import { cap } from '../../limits/limit.ts';
import { tooManyAttempts } from '../../limits/limits.problems.ts';
import type { GatewayKeys } from '../../merchant-accounts/replace-merchant-account.ts';

/** No row has this id, so failures of tested keys don't count against an account in use. */
const NO_ACCOUNT = 0;

const TESTS_AN_HOUR = cap('tests of merchant keys in an hour', { max: 30, windowSeconds: 3_600 });

/** Tests unused keys by asking the provider for one row of the list. Moves no money and stores nothing. */
export async function testKeys(
  deps: Deps,
  { franchiseId, keys, by }: { franchiseId: number; keys: GatewayKeys; by: OfficeCaller },
): Promise<Success<KeysTest> | Failure<'not-found'>> {
  if (!(await isFranchiseVisible(deps.db.query, { actorId: by.id, franchiseId }))) return fail('not-found');
  const allowed = await countWithin(deps, [{ limit: TESTS_AN_HOUR, of: [by.id] }]);
  if (!allowed.ok) throw tooManyAttempts(allowed);
  const result = await ask(deps, keys);
  await deps.db.transaction((tx) =>
    recordAct(tx, by, {
      action: 'test-keys',
      subject: `franchise ${franchiseId}`,
      franchiseId,
      after: { works: result.works },
    }),
  );
  return ok(result);
}

async function ask({ gateways }: Pick<Deps, 'gateways'>, { apiKey, pin }: GatewayKeys): Promise<KeysTest> {
  const listed = await gateways
    .of({ id: NO_ACCOUNT, apiKey, pin, isTested: true })
    .list({ offset: 0, limit: 1 });
  if (listed.kind === 'page') return { works: true, words: 'The provider knows these keys.' };
  if (listed.kind === 'not-executed' && listed.status !== 429) {
    return { works: false, words: 'The provider does not know these keys.' };
  }
  return { works: false, words: 'The provider did not answer. Please try again in a while.' };
}
