import { type Bounds, TROUBLES, WIDEST } from './bounds.ts';

/**
 * Tightens a failing seed's world while it still fails: first drops troubles, then payers, invoices and instances.
 * `null` if it doesn't fail a second time.
 */
export async function shrink(fails: (bounds: Bounds) => Promise<boolean>): Promise<Bounds | null> {
  if (!(await fails(WIDEST))) return null;
  let bounds = WIDEST;
  const tryTo = async (change: Partial<Bounds>): Promise<boolean> => {
    const tighter = { ...bounds, ...change };
    if (!(await fails(tighter))) return false;
    bounds = tighter;
    return true;
  };
  for (const name of TROUBLES) await tryTo({ without: [...bounds.without, name] });
  for (const name of ['payers', 'invoices', 'instances'] as const) {
    for (let count = 1; count < bounds[name]; count++) if (await tryTo({ [name]: count })) break;
  }
  return bounds;
}
