import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** How long to wait for a host's addresses if earlier ones are known. */
const FRESH_MILLISECONDS = 500;

const known = new Map<string, LookupAddress[]>();
const underWay = new Map<string, Promise<LookupAddress[]>>();

/** One question for all who ask at the time: while it waits, each would hold a thread. */
function ask(host: string): Promise<LookupAddress[]> {
  const asked =
    underWay.get(host) ??
    new Promise<LookupAddress[]>((resolve, reject) => {
      dns.lookup(host, { all: true }, (error, addresses) => {
        underWay.delete(host);
        if (error) return reject(error);
        known.set(host, addresses);
        resolve(addresses);
      });
    });
  underWay.set(host, asked);
  return asked;
}

async function findAddresses(host: string): Promise<LookupAddress[]> {
  const asked = ask(host);
  const before = known.get(host);
  if (!before) return asked;
  return Promise.race([asked.catch(() => before), wait(FRESH_MILLISECONDS, before, { ref: false })]);
}

type Told = (error: Error | null, address: string | LookupAddress[], version?: number) => void;

function lookup(host: string, { all }: LookupOptions, tell: Told): void {
  findAddresses(host).then(
    (addresses) => {
      const [{ address } = { address: '' }] = addresses;
      if (all) tell(null, addresses);
      else tell(null, address, isIP(address));
    },
    (error: Error) => tell(error, []),
  );
}

/**
 * A socket that goes to a host's last known addresses if fresh ones don't come. The system asks name servers on two threads
 * of the process. Two names that a silent one keeps waiting, as the mail server's and the card provider's, hold up all
 * further ones for as long as it takes, even one that stands in this machine's own list.
 */
export function openKnowingSocket(): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket) as (...given: unknown[]) => Socket;
  // The driver gives a port and a host, or the path of a socket.
  socket.connect = ((port: number | string, host?: string) =>
    host === undefined ? connect(port) : connect({ port, host, lookup })) as typeof socket.connect;
  return socket;
}
