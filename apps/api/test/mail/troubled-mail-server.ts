import net from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/**
 * `down`: nobody listens. `silent`: accepts connections and says nothing. `later` and `never`: refuses with 4xx or 5xx.
 * `taken`: keeps the mail but refuses it.
 */
export type MailTrouble = 'down' | 'silent' | 'later' | 'never' | 'taken';

const CODES = { later: 450, never: 550, taken: 451 };

/** A mail server that can be broken and repaired. */
export class TroubledMailServer {
  trouble: MailTrouble | null = null;
  /** The Message-ID of everything it has kept. */
  readonly received: string[] = [];
  readonly #smtp: SMTPServer;
  readonly #silent = net.createServer();

  constructor() {
    this.#smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, done) => {
        const { trouble } = this;
        readMessageId(stream).then((messageId) => {
          if (trouble === null || trouble === 'taken') this.received.push(messageId);
          if (trouble === 'later' || trouble === 'never' || trouble === 'taken') {
            done(Object.assign(new Error('refused'), { responseCode: CODES[trouble] }));
          } else done();
        }, done);
      },
    });
    this.#smtp.on('error', () => {});
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#smtp.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => this.#silent.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    if (this.trouble === 'down') return 'smtp://127.0.0.1:1';
    const server = this.trouble === 'silent' ? this.#silent : this.#smtp.server;
    return `smtp://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  }

  close(): void {
    this.#smtp.close();
    this.#silent.close();
  }
}

async function readMessageId(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return (await PostalMime.parse(Buffer.concat(chunks))).messageId ?? 'none';
}
