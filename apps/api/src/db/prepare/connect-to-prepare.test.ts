import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../migrate.ts';
import { grantReaderRights } from './grant-rights.ts';

test('a start ends at a database that takes connections and is silent', async () => {
  const taken: Socket[] = [];
  const silent = createServer((socket) => void taken.push(socket));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of taken) socket.destroy();
    silent.close();
  });
  const url = `postgres://owner@127.0.0.1:${(silent.address() as AddressInfo).port}/portal`;
  await Promise.all([
    expect(migrate(url)).rejects.toThrow('The database cannot be reached'),
    expect(grantReaderRights({ ownerUrl: url, role: 'reader' })).rejects.toThrow('cannot be reached'),
  ]);
});
