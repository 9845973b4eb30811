import { buildApp } from '../../../../../apps/api/src/app.ts';
import { openDeps } from '../../../../../apps/api/src/open-deps.ts';
import { testEnv } from '../../../../../apps/api/test/build-test-app.ts';
import { gatewaySettings } from '../../../../../apps/api/test/factories/payments/payments.ts';
import { CALLS, type CallName } from '../../../../../apps/api/test/hostile/calls.ts';
import { type DescribedApi, readApi } from '../../../../../apps/api/test/hostile/described-api.ts';
import type { Schema } from '../../../../../apps/api/test/hostile/generate-bodies.ts';
import {
  asHostile,
  BEHIND_A_PROXY,
  type HostilePortal,
} from '../../../../../apps/api/test/hostile/hostile-portal.ts';
import type { Victim } from '../../../../../apps/api/test/hostile/victim.ts';
import { startEmulatorProcess } from '../emulator-process.ts';

export type HostileBodiesRig = {
  portal: HostilePortal;
  api: DescribedApi;
  /** The body schema of each call that takes a body. */
  schemas: Map<CallName, Schema>;
  close(): Promise<void>;
};

/** All but the call that closes payments, which would end the run. */
const NAMES = (Object.keys(CALLS) as CallName[]).filter(
  (name) => 'body' in CALLS[name] && name !== 'restored',
);

export async function openHostileBodiesRig(databaseUrl: string): Promise<HostileBodiesRig> {
  const emulator = await startEmulatorProcess();
  const merchant = await emulator.merchant('portal');
  const deps = await openDeps(
    testEnv({ DATABASE_URL: databaseUrl, ...gatewaySettings(emulator, merchant), ...BEHIND_A_PROXY }),
  );
  const portal = asHostile({ deps, app: await buildApp(deps), now: new Date() }, emulator);
  return {
    portal,
    api: await readApi(portal),
    schemas: await readSchemas(portal, await portal.makeVictim()),
    async close() {
      await portal.app.close();
      await deps.db.close();
      await emulator.close();
    },
  };
}

async function readSchemas(portal: HostilePortal, victim: Victim): Promise<Map<CallName, Schema>> {
  const { paths } = (await portal.app.inject('/api/openapi.json')).json();
  return new Map(
    NAMES.map((name) => {
      const { method, url } = portal.goodRequest(name, victim);
      const path = Object.keys(paths).find((candidate) =>
        new RegExp(`^/api${candidate.replace(/\{\w+\}/g, '[^/]+')}$`).test(url),
      );
      const { content } = paths[path ?? ''][method.toLowerCase()].requestBody;
      return [name, content['application/json'].schema];
    }),
  );
}
