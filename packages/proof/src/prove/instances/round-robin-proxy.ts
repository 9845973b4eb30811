import net from 'node:net';

/** Distributes connections over several ports in turn, and skips ports on which nobody listens. */
export class RoundRobinProxy {
  readonly #server: net.Server;
  readonly #open = new Set<net.Socket>();
  #ports: number[] = [];
  #turn = 0;

  constructor() {
    this.#server = net.createServer((client) => {
      this.#keep(client);
      this.#connect(client, this.#ports.length);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}`;
  }

  /** Sends later connections to these ports. */
  dealTo(ports: number[]): void {
    this.#ports = ports;
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
  }

  #connect(client: net.Socket, tries: number): void {
    const port = this.#ports[this.#turn++ % this.#ports.length];
    if (tries <= 0 || port === undefined) {
      client.destroy();
      return;
    }
    const portal = net.connect({ host: '127.0.0.1', port });
    portal.once('error', () => this.#connect(client, tries - 1));
    portal.once('connect', () => {
      portal.removeAllListeners('error');
      this.#keep(portal);
      client.pipe(portal);
      portal.pipe(client);
      portal.on('close', () => client.destroy());
      client.on('close', () => portal.destroy());
    });
  }

  #keep(socket: net.Socket): void {
    this.#open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#open.delete(socket));
  }
}
