import type { Deps } from '../../../deps.ts';
import { fillNameKeys, lockWords, replaceWords, takeWordChanges } from './words.queries.ts';

const PAGE = 500;

/** Updates the search words of customers that were created, renamed, moved or linked since the last run. */
export async function indexWords(
  deps: Pick<Deps, 'db'>,
  { isStopping = () => false }: { isStopping?: () => boolean } = {},
): Promise<void> {
  while (!isStopping() && (await indexPage(deps)));
}

/** True if there may be more. */
function indexPage({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockWords(tx))) return false;
    const { taken, customerIds } = await takeWordChanges(tx, { limit: PAGE });
    if (taken === 0) return false;
    await replaceWords(tx, customerIds);
    await fillNameKeys(tx, customerIds);
    return taken === PAGE;
  });
}
