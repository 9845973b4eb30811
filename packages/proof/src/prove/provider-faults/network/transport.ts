import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { findFreePort } from '../../../../../../tools/machine/find-free-port.ts';
import type { Round } from '../../attack.ts';
import { attack, attackCall, type FaultAttack, kindOf, placeIn, variantOf } from '../fault-attack.ts';
import { must, mustHear, newPayment, payAgain, press } from '../payments.ts';
import { resolve } from '../resolve.ts';
import type { FaultRig } from '../rig.ts';
import { type Certified, makeCertificateAuthority } from './local-ca.ts';
import { CUTS, type Cut } from './provider-proxy.ts';

const CALLS = ['authonly', 'capture', 'void', 'get', 'list'] as const;
const WAYS: Cut[] = CUTS.flatMap((at) => [
  { at, by: 'reset' as const },
  { at, by: 'fin' as const },
]);

const cutLines: FaultAttack['run'] = (rig, round) => {
  const cut = variantOf(round, WAYS);
  const name = CALLS[Math.floor(round.run / WAYS.length) % CALLS.length] ?? 'authonly';
  return attackCall(rig, round, name, (after) => rig.proxy.plan({ name, cut, after }));
};

const STALE = [
  'refused to read',
  'reset on write',
  'kept open, and the next hold reset',
  'kept open, and the capture reset',
  'kept open',
  'closed when idle',
] as const;

/** Connections that the provider closes before reading from them, kept or not: nothing may be sent twice. */
async function staleConnections(rig: FaultRig, round: Round): Promise<void> {
  const { proxy } = rig;
  const kind = kindOf(round, STALE);
  const payment = await newPayment(rig, kind);
  const way = variantOf(round, STALE);
  const after = placeIn(round, payment);
  const reset = (name: 'authonly' | 'capture') =>
    proxy.plan({ name, after, cut: { at: 'unsent', by: 'reset' } });
  if (way.startsWith('kept open')) proxy.keepOpen();
  if (way === 'closed when idle') proxy.keepOpen({ thenClose: true });
  if (way === 'refused to read') proxy.dropConnection({ after });
  if (way === 'kept open, and the next hold reset') await payAgain(rig, await newPayment(rig, kind));
  if (way === 'reset on write' || way.endsWith('hold reset')) reset('authonly');
  if (way.endsWith('capture reset')) reset('capture');
  const failsFirst = STALE.indexOf(way) < 3;
  const first = await press(rig, payment);
  if (failsFirst) await payAgain(rig, payment);
  else payment.mustBePaid = true;
  mustHear(first, failsFirst ? 'not charged' : 'paid');
  await resolve(rig, round);
  const { connections, calls } = proxy;
  const isReused = connections < calls.length;
  must(!isReused || way.startsWith('kept open'), `${calls.length} calls on ${connections} connections`);
}

/** A provider that can't be reached, or fails to authenticate, must be sent nothing. */
async function unreachable(rig: FaultRig, round: Round): Promise<void> {
  const way = variantOf(round, [
    'no address',
    'refused',
    'unknown authority',
    'expired',
    'another host',
    'no TLS',
  ]);
  const servers: net.Server[] = [];
  const serve = async (certified: Certified | null, heard: string[] = []) => {
    const server = certified ? relayTls(rig.emulator.url, certified, heard) : listenOnly(heard);
    servers.push(server);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`;
  };
  const trusted = makeCertificateAuthority();
  const stranger = makeCertificateAuthority();
  const host = '127.0.0.1';
  const heard: string[] = [];
  const addresses: Record<string, () => Promise<string>> = {
    'no address': async () => 'https://provider.invalid/api/v2',
    refused: async () => `http://127.0.0.1:${await findFreePort()}/api/v2`,
    'unknown authority': () => serve(stranger.issue({ host }), heard),
    expired: () => serve(trusted.issue({ host, days: 0.5 }), heard),
    'another host': () => serve(trusted.issue({ host: 'payments.example.com' }), heard),
    'no TLS': () => serve(null, heard),
  };
  const known = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...known, trusted.cert]);
  try {
    const payment = await newPayment(rig, kindOf(round));
    rig.reach({ baseUrl: (await addresses[way]?.()) ?? '' });
    const refused = await press(rig, payment);
    mustHear(refused, 'not charged');
    must(refused.status === 503, `answered ${refused.status}`);
    must(!heard.join('').includes('orderid'), `sent to somebody else: ${heard.join('')}`);
    must((await rig.emulator.ledger()).length === 0, 'the provider has heard of it');
    // A valid certificate of the same authority is accepted, so it was the flaw that was refused.
    rig.reach({ baseUrl: await serve(trusted.issue({ host })) });
    await payAgain(rig, payment);
  } finally {
    tls.setDefaultCACertificates(known);
    for (const server of servers) server.close();
  }
  await resolve(rig, round);
}

function relayTls(target: string, certified: Certified, heard: string[]): net.Server {
  const { hostname, port } = new URL(target);
  const server = tls.createServer(certified, (client) => {
    const provider = net.connect(Number(port), hostname);
    for (const socket of [client, provider]) socket.on('error', () => {});
    client.on('data', (chunk) => heard.push(chunk.toString('latin1')));
    client.pipe(provider).pipe(client);
  });
  server.on('tlsClientError', () => {});
  return server;
}

function listenOnly(heard: string[]): net.Server {
  return net.createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      heard.push(chunk.toString('latin1'));
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
  });
}

export const transport: FaultAttack[] = [
  attack(
    'F06',
    'a line that is cut in an answer, at each class of byte: unknown',
    WAYS.length * CALLS.length,
    cutLines,
  ),
  attack('F07', 'a connection that is stale: nothing is sent a second time', 18, staleConnections),
  attack('F19', 'nobody there, or not who it should be: nothing is sent', 12, unreachable),
];
