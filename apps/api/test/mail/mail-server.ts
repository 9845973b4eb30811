import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach } from 'vitest';

export type MailServer = {
  /** For `SMTP_URL`; known once the tests run. */
  url: string;
  /** The mail received since the test began. */
  received: Email[];
  /** Refuses the next messages with this SMTP code. */
  refuseNext(times: number, responseCode: number): void;
};

/** A real mail server on a free port, for one test file. */
export function useMailServer(): MailServer {
  const held = {} as MailServer;
  let running: RunningMailServer;
  beforeAll(async () => {
    running = await startMailServer();
    Object.assign(held, running);
  });
  beforeEach(() => {
    held.refuseNext(0, 0);
    held.received.length = 0;
  });
  afterAll(() => running.close());
  return held;
}

export type RunningMailServer = MailServer & { close(): Promise<void> };

export async function startMailServer(): Promise<RunningMailServer> {
  let refusals: number[] = [];
  const received: Email[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      readMail(stream).then((mail) => {
        const responseCode = refusals.shift();
        if (responseCode) {
          done(Object.assign(new Error('not now'), { responseCode }));
          return;
        }
        received.push(mail);
        done();
      }, done);
    },
  });
  // Some tests kill a sender in the middle of a message.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    refuseNext: (times, responseCode) => {
      refusals = Array.from({ length: times }, () => responseCode);
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function readMail(stream: AsyncIterable<Buffer>): Promise<Email> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return PostalMime.parse(Buffer.concat(chunks));
}
