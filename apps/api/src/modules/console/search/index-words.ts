import type { Deps } from '../../../deps.ts';
import { fillNameKeys, lockWords, replaceWords, takeWordChanges } from './words.queries.ts';

const PAGE = 500;

/** Keeps the words that customers are found by: of customers that were made, renamed, moved or linked since the last look. */
export async function indexWords(
  deps: Pick<Deps, 'db'>,
  { isStopping = () => false }: { isStopping?: () => boolean } = {},
): Promise<void> {
  while (!isStopping() && (await indexPage(deps)));
}

/** True where there may be more. */
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
