import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { beginRun } from '../run-folder.ts';
import { prepareTestPostgres } from './test-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with `TestPostgres`. The first request starts the server, so that unit tests don't pay for it. */
    testPostgresUrl: string;
  }
}

/** One Postgres for the whole run, started when the first test needs a database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeRunFolder = beginRun();
  const postgres = prepareTestPostgres();
  const desk = createServer((_request, response) => {
    postgres.open().then(
      (answer) => response.end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => desk.listen(0, '127.0.0.1', listening));
  project.provide('testPostgresUrl', `http://127.0.0.1:${(desk.address() as AddressInfo).port}`);
  return async () => {
    desk.closeAllConnections();
    desk.close();
    await postgres.close();
    removeRunFolder();
  };
}
