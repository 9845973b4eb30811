import net from 'node:net';

export type SwitchingProxy = {
  port: number;
  /** Drops every connection and sends new ones to that port. */
  leadTo(port: number): void;
  close(): void;
};

/** One address for a database that moves, like a load balancer in front of two. */
export async function startSwitchingProxy(target: number): Promise<SwitchingProxy> {
  let to = target;
  const open = new Set<net.Socket>();
  const hold = (socket: net.Socket, other: net.Socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      other.destroy();
    });
  };
  const server = net.createServer((client) => {
    const database = net.connect(to, '127.0.0.1');
    hold(client, database);
    hold(database, client);
    client.pipe(database).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dropAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as net.AddressInfo).port,
    leadTo(port) {
      to = port;
      dropAll();
    },
    close() {
      server.close();
      dropAll();
    },
  };
}
