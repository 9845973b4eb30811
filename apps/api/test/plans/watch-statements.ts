import pg from 'pg';
import { vi } from 'vitest';
import { PRIMARY_CHECK } from '../../src/db/watch-connection.ts';
import { execute } from '../database/make-database.ts';

/** A node of a plan that has run, as `EXPLAIN (ANALYZE, FORMAT JSON)` names its parts. */
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
  /** Run by a trigger, a constraint or a function, and not by the portal itself. */
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

/** Has Postgres explain every statement on connections that are opened to a database from now on. */
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
 * Every statement that this process has run with its plan, on whatever connection: a session of an import is opened deep
 * inside. Begin before the first connection is opened.
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
      // How often a connection is opened says nothing of how often the database is asked.
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
