import type { PlanNode, Statement } from './watch-statements.ts';

/** More than a customer's things ever come to, and far less than a table that grows. */
const MOST_ROWS = 1_500;

/** What is wrong with how a statement found its rows, in words. */
export function judgePlan({ text, plan }: Statement, growing: ReadonlySet<string>): string[] {
  const statement = text.replace(/\s+/g, ' ').trim().slice(0, 300);
  return nodesOf(plan).flatMap(({ node, parent }) => {
    const table = node['Relation Name'];
    if (table === undefined || !growing.has(table)) return [];
    // Any one row is found at once.
    if (parent?.['Node Type'] === 'Limit' && node.Filter === undefined) return [];
    if (node['Node Type'].includes('Seq Scan')) return [`reads all of ${table}: ${statement}`];
    const rows = rowsRead(node);
    return rows > MOST_ROWS ? [`reads ${rows} rows of ${table}: ${statement}`] : [];
  });
}

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
