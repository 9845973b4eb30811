import { createServer } from 'node:net';

/** The ports that another program already uses, each with the setting that changes it. */
export async function takenPorts(wanted: { port: number; setting: string }[]): Promise<string[]> {
  const taken = await Promise.all(wanted.map(async (each) => ((await isTaken(each.port)) ? [each] : [])));
  return taken
    .flat()
    .map(
      ({ port, setting }) =>
        `Port ${port} is taken by another program. Stop it, or set ${setting} to another port.`,
    );
}

async function isTaken(port: number): Promise<boolean> {
  // Some systems allow binding a port on all addresses and on one address at once, so check each.
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) {
    const code = await new Promise<string | undefined>((done) => {
      const probe = createServer();
      probe.once('error', (error: NodeJS.ErrnoException) => done(error.code));
      probe.listen(port, host, () => probe.close(() => done(undefined)));
    });
    if (code === 'EADDRINUSE') return true;
  }
  return false;
}
