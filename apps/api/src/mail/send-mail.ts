import net from 'node:net';
import type { SendMailOptions } from 'nodemailer';

/** The limit for one mail as a whole, well within its lease: a server that trickles never hits an idle timeout. */
const SEND_MILLISECONDS = 30_000;

/**
 * Sends one mail on its own connection, and closes that when the time is up, whatever the server does. The error says in
 * `knowsRecipient` whether the server was told the recipient and hadn't refused our sender, which is the same for every mail.
 */
export async function sendMail(smtpUrl: string, mail: SendMailOptions): Promise<void> {
  // Loaded on demand: it is a tenth of the portal's code, and often unused for hours.
  const { default: nodemailer } = await import('nodemailer');
  let socket: net.Socket | undefined;
  const dialogue = watchDialogue();
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    // A time-out's error doesn't say at which command it happened.
    transactionLog: true,
    logger: dialogue.logger,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    getSocket({ host = 'localhost', port, secure }, use) {
      socket = openSocket({ host, port: Number(port ?? (secure ? 465 : 587)) }, use);
    },
  });
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(Object.assign(new Error('the mail server is too slow'), { code: 'ETIMEDOUT' }));
      socket?.destroy();
    }, SEND_MILLISECONDS);
  });
  const sending = transport.sendMail(mail);
  // Ignore errors after the time is up; nobody awaits them.
  sending.catch(() => {});
  try {
    await Promise.race([sending, timeUp]);
  } catch (error) {
    throw error instanceof Error
      ? Object.assign(error, { knowsRecipient: dialogue.knowsRecipient() })
      : error;
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

/** Follows how far a dialogue gets, by a logger that logs nothing. */
function watchDialogue() {
  let isSenderAnswered = true;
  let isSenderRefused = false;
  let isRecipientSent = false;
  const debug = ({ tnx }: { tnx?: string }, text: unknown) => {
    const line = String(text);
    if (tnx === 'client') {
      if (line.startsWith('MAIL FROM')) isSenderAnswered = false;
      // The client may send this before the sender is answered.
      if (line.startsWith('RCPT TO')) isRecipientSent = true;
    } else if (tnx === 'server' && !isSenderAnswered) {
      isSenderAnswered = true;
      isSenderRefused = !line.startsWith('2');
    }
  };
  const ignore = () => {};
  return {
    logger: { level: ignore, trace: ignore, debug, info: ignore, warn: ignore, error: ignore, fatal: ignore },
    knowsRecipient: () => isRecipientSent && !isSenderRefused,
  };
}

const CONNECT_MILLISECONDS = 10_000;

function openSocket(
  address: { host: string; port: number },
  use: (error: Error | null, options: object) => void,
): net.Socket {
  const socket = net.connect(address);
  const finish = (error: Error | null) => {
    socket.off('error', finish);
    socket.setTimeout(0);
    if (!error) return use(null, { connection: socket });
    // Only keeps later errors from being unhandled.
    socket.on('error', () => {}).destroy();
    use(Object.assign(error, { code: 'ECONNECTION' }), {});
  };
  socket.once('connect', () => finish(null));
  socket.once('error', finish);
  socket.setTimeout(CONNECT_MILLISECONDS, () => finish(new Error('the mail server cannot be reached')));
  return socket;
}
