import type { PlanNode, Statement } from './watch-statements.ts';

/** More than a customer's things ever come to, and far less than a growing table. */
const MOST_ROWS = 1_500;
/**
 * The highest cost that Postgres may estimate for a statement. Almost all are below 500. An estimate that includes a
 * good part of a table leads to another plan once the table is long, even if hardly a row is read here.
 */
const MOST_COST = 4_000;

export type PlanBounds = { mostRows: number; mostCost: number };
const USUAL: PlanBounds = { mostRows: MOST_ROWS, mostCost: MOST_COST };

/** What is wrong with how a statement finds its rows, in words. */
export function judgePlan(
  { text, plan }: Statement,
  growing: ReadonlySet<string>,
  { mostRows, mostCost }: PlanBounds = USUAL,
): string[] {
  const statement = text.replace(/\s+/g, ' ').trim().slice(0, 300);
  const cost = plan['Total Cost'];
  const dear = cost > mostCost ? [`is believed to cost ${cost}: ${statement}`] : [];
  const read = nodesOf(plan).flatMap(({ node, parent }) => {
    const table = node['Relation Name'];
    if (table === undefined || !growing.has(table)) return [];
    // Finding any one row takes no time.
    if (parent?.['Node Type'] === 'Limit' && node.Filter === undefined) return [];
    if (node['Node Type'].includes('Seq Scan')) return [`reads all of ${table}: ${statement}`];
    const rows = rowsRead(node);
    return rows > mostRows ? [`reads ${rows} rows of ${table}: ${statement}`] : [];
  });
  return [...dear, ...read];
}

/** How many rows of tables a statement reads, however few it returns. */
export const rowsReadBy = ({ plan }: Statement): number =>
  nodesOf(plan)
    .filter(({ node }) => node['Relation Name'] !== undefined)
    .reduce((sum, { node }) => sum + rowsRead(node), 0);

function rowsRead(node: PlanNode): number {
  const perLoop =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(perLoop * node['Actual Loops']);
}

type Placed = { node: PlanNode; parent: PlanNode | undefined };

function nodesOf(node: PlanNode, parent?: PlanNode): Placed[] {
  return [{ node, parent }, ...(node.Plans ?? []).flatMap((each) => nodesOf(each, node))];
}
