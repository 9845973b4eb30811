import { connect } from 'node:net';

export type RawAnswer = { status: number; headers: Record<string, string>; body: string };

/** Sends raw bytes and returns every answer until the server closes the connection. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<RawAnswer[]> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  await new Promise((resolve) => socket.once('close', resolve));
  return readAnswers(Buffer.concat(received).toString('latin1'));
}

function readAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const from = end + 4;
    answers.push({
      status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]),
      headers,
      body: rest.slice(from, from + length),
    });
    rest = rest.slice(from + length);
  }
  return answers;
}
