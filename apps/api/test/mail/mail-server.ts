import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerAddress, type SMTPServerSession } from 'smtp-server';
import { afterAll, beforeAll, beforeEach } from 'vitest';

type SmtpStep = 'the connection' | 'MAIL FROM' | 'RCPT TO' | 'DATA';

export type MailServer = {
  /** For `SMTP_URL`; known once the tests run. */
  url: string;
  /** The mail received since the test began. */
  received: Email[];
  /** Refuses the next times with this SMTP code, by default once it has the message. */
  refuseNext(times: number, responseCode: number, at?: SmtpStep): void;
  /** Closes the connection instead of answering this step of the recipient's mails. */
  hangUpOn(recipient: string | null, at?: 'RCPT TO' | 'DATA'): void;
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
    held.hangUpOn(null);
    held.received.length = 0;
  });
  afterAll(() => running.close());
  return held;
}

export type RunningMailServer = MailServer & { close(): Promise<void> };

export async function startMailServer(): Promise<RunningMailServer> {
  let refusals: number[] = [];
  let refusedAt: SmtpStep = 'DATA';
  const refusal = (at: SmtpStep) => {
    const responseCode = at === refusedAt && refusals.shift();
    return responseCode ? Object.assign(new Error('not now'), { responseCode }) : null;
  };
  const received: Email[] = [];
  const sockets = new Map<number | undefined, Socket>();
  let hangUp: { recipient: string | null; at: SmtpStep } = { recipient: null, at: 'DATA' };
  const hangsUp = (at: SmtpStep, { address }: SMTPServerAddress, { remotePort }: SMTPServerSession) => {
    if (hangUp.at !== at || hangUp.recipient !== address) return false;
    sockets.get(remotePort)?.destroy();
    return true;
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => done(refusal('the connection')),
    onMailFrom: (_address, _session, done) => done(refusal('MAIL FROM')),
    onRcptTo(address, session, done) {
      if (!hangsUp('RCPT TO', address, session)) done(refusal('RCPT TO'));
    },
    onData(stream, session, done) {
      if (session.envelope.rcptTo.some((address) => hangsUp('DATA', address, session))) return;
      readMail(stream).then((mail) => {
        const refused = refusal('DATA');
        if (!refused) received.push(mail);
        done(refused);
      }, done);
    },
  });
  // Some tests kill a sender in the middle of a message.
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    sockets.set(remotePort, socket);
    socket.on('close', () => sockets.delete(remotePort));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    refuseNext: (times, responseCode, at = 'DATA') => {
      refusedAt = at;
      refusals = Array.from({ length: times }, () => responseCode);
    },
    hangUpOn: (recipient, at = 'DATA') => {
      hangUp = { recipient, at };
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function readMail(stream: AsyncIterable<Buffer>): Promise<Email> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return PostalMime.parse(Buffer.concat(chunks));
}
