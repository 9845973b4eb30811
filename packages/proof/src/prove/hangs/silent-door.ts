import { createServer, type Server, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';

/** A proxy to a mail server. While it is shut, it accepts connections and says nothing. */
export class SilentDoor {
  isShut = false;
  /** How many connections were accepted and not served. */
  knocks = 0;
  readonly #clients = new Set<net.Socket>();
  readonly #open = new Set<net.Socket>();
  readonly #server: net.Server;

  constructor(target: number) {
    this.#server = net.createServer((client) => {
      this.#clients.add(client);
      client.on('close', () => this.#clients.delete(client));
      this.#hold(client);
      if (this.isShut) {
        this.knocks++;
        return;
      }
      const served = net.connect(target, '127.0.0.1');
      this.#hold(served);
      client.pipe(served).pipe(client);
    });
  }

  /** How many connections clients have now. A served one is also a connection of ours to the mail server, not counted. */
  get waiting(): number {
    return this.#clients.size;
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
  }

  #hold(socket: net.Socket): void {
    this.#open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#open.delete(socket));
  }
}

/** Takes reports; while silent, it reads them and never answers. */
export class SilentReporter {
  isSilent = false;
  /** How many reports it read without an answer. */
  unanswered = 0;
  taken = 0;
  readonly #waiting = new Set<ServerResponse>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      request.resume();
      if (!this.isSilent) {
        this.taken++;
        response.end('{}');
        return;
      }
      this.unanswered++;
      this.#waiting.add(response);
      response.on('close', () => this.#waiting.delete(response));
    });
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
