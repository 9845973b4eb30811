import { readFileSync } from 'node:fs';

/** Whose origin a part of a page comes from. */
export type PartOrigin = 'portal' | 'card-provider' | 'error-reporter';

/** Something that a page with the card field loads, runs, shows or connects to. */
export type PagePart = {
  kind: 'script' | 'inline-script' | 'frame' | 'style' | 'image' | 'connection' | 'worker';
  from: PartOrigin;
  /** The URL's path, or an inline script's text. */
  name: string;
};

/** A line of the inventory: what is allowed, whose it is, why, and how its integrity is ensured. */
export type InventoryLine = {
  kind: PagePart['kind'];
  from: PartOrigin;
  /** A path in which `*` matches anything, or the start of an inline script. */
  path?: string;
  begins?: string;
  /** False if only some visits load it. */
  always: boolean;
  owner: string;
  reason: string;
  integrity: string;
};

/** The pages on which cards are typed. */
export const PAYMENT_PAGES = ['/guest-payment', '/payment-methods/add'] as const;

/** What those pages may consist of, from `apps/api/payment-page.json`. */
export function readInventory(): InventoryLine[] {
  const file = new URL('../../../payment-page.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as InventoryLine[];
}

/** The line that allows this part, if there is one. */
export function findLine(inventory: readonly InventoryLine[], part: PagePart): InventoryLine | undefined {
  return inventory.find(
    (line) => line.kind === part.kind && line.from === part.from && fits(line, part.name.trim()),
  );
}

function fits({ path, begins }: InventoryLine, name: string): boolean {
  if (begins !== undefined) return name.startsWith(begins);
  if (path === undefined) return false;
  const [head = '', ...rest] = path.split('*');
  const pattern = [head, ...rest].map((piece) => piece.replace(/[.\\+?^${}()|[\]]/g, '\\$&')).join('.*');
  return new RegExp(`^${pattern}$`).test(name);
}
