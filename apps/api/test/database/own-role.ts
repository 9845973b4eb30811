import { randomBytes } from 'node:crypto';
import { grantAppRights } from '../../src/db/prepare/grant-rights.ts';
import { execute } from './make-database.ts';

export type OwnRole = {
  /** The database's URL under this role. */
  url: string;
  /** From now on nobody connects as this role, and open connections are ended, as the pool does after a while. */
  changePassword(): Promise<void>;
  changePasswordBack(): Promise<void>;
  drop(): Promise<void>;
};

/** A role with the portal's rights. */
export async function makeOwnRole(ownerUrl: string): Promise<OwnRole> {
  const name = `brightpane_test_${randomBytes(4).toString('hex')}_own`;
  const url = new URL(ownerUrl);
  url.username = name;
  url.password = randomBytes(8).toString('hex');
  const run = (statement: string) => execute(ownerUrl, statement);
  await run(`CREATE ROLE ${name} LOGIN PASSWORD '${url.password}'`);
  await grantAppRights({ ownerUrl, appUrl: url.href });
  return {
    url: url.href,
    async changePassword() {
      await run(`ALTER ROLE ${name} PASSWORD 'another one'`);
      await run(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = '${name}'`);
    },
    changePasswordBack: () => run(`ALTER ROLE ${name} PASSWORD '${url.password}'`),
    drop: () => run(`DROP OWNED BY ${name}; DROP ROLE ${name}`),
  };
}
