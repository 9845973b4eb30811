import pg from 'pg';
import { vi } from 'vitest';
import { PRIMARY_CHECK } from '../../src/db/watch-connection.ts';
import { execute } from '../database/make-database.ts';

/** A node of an executed plan, with the names of `EXPLAIN (ANALYZE, FORMAT JSON)`. */
export type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Total Cost': number;
  Filter?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
};

export type Statement = {
  text: string;
  plan: PlanNode;
  /** Run by a trigger, a constraint or a function rather than by the portal itself. */
  isNested: boolean;
};

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_parameter_max_length': '0',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

/** Makes Postgres explain every statement on new connections to a database. */
export async function explainAll(databaseUrl: string): Promise<void> {
  const name = pg.escapeIdentifier(new URL(databaseUrl).pathname.slice(1));
  for (const [setting, value] of Object.entries(SETTINGS)) {
    await execute(databaseUrl, `ALTER DATABASE ${name} SET ${setting} = ${pg.escapeLiteral(value)}`);
  }
  await execute(
    databaseUrl,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
}

/**
 * Collects every statement of this process with its plan, on any connection, since imports open sessions deep inside.
 * Call it before the first connection opens.
 */
export function watchStatements(): { take(): Statement[]; stop(): void } {
  let seen: Statement[] = [];
  const connect = pg.Client.prototype.connect as (...values: unknown[]) => unknown;
  const spy = vi.spyOn(pg.Client.prototype, 'connect').mockImplementation(function (
    this: pg.Client,
    ...values: unknown[]
  ) {
    this.on('notice', (notice) => {
      const explained = /^duration: .*? plan:\s*(\{[\s\S]*\})$/.exec(notice.message ?? '');
      if (!explained?.[1]) return;
      const { 'Query Text': text, Plan: plan } = JSON.parse(explained[1]) as {
        'Query Text': string;
        Plan: PlanNode;
      };
      // How often connections are opened doesn't matter for the count.
      if (text === PRIMARY_CHECK) return;
      seen.push({ text, plan, isNested: notice.where !== undefined });
    });
    return connect.apply(this, values);
  } as never);
  return {
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
    stop: () => spy.mockRestore(),
  };
}
