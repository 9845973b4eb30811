import { readFileSync } from 'node:fs';

/** Whose address a part of a page comes from. */
export type PartOrigin = 'portal' | 'card-provider' | 'error-reporter';

/** Something that a page with the card field loads, runs, shows or speaks to. */
export type PagePart = {
  kind: 'script' | 'inline-script' | 'frame' | 'style' | 'image' | 'connection' | 'worker';
  from: PartOrigin;
  /** The path of an address; the text of an inline script. */
  name: string;
};

/** A line of the inventory: what may be there, whose it is, why, and how it is kept as it is. */
export type InventoryLine = {
  kind: PagePart['kind'];
  from: PartOrigin;
  /** A path in which `*` stands for anything; or how an inline script begins. */
  path?: string;
  begins?: string;
  /** False for what only some visits load. */
  always: boolean;
  owner: string;
  reason: string;
  integrity: string;
};

/** The pages on which a card is typed. */
export const PAYMENT_PAGES = ['/guest-payment', '/payment-methods/add'] as const;

/** What those pages may consist of: `apps/api/payment-page.json`. */
export function readInventory(): InventoryLine[] {
  const file = new URL('../../../payment-page.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as InventoryLine[];
}

/** The line that admits this part, if there is one. */
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
