import { readRetryAfter } from '@brightpane/contract/wait-advice';
import { type Answer, readProblem, unanswered } from '@brightpane/ui/forms/ask-server';
import { type OfficeCall, officeHeaders, officePath, retrySignedIn } from './api-client.ts';

/** Longer than the server lets a file arrive and wait for its turn. */
const LONGEST_WAIT_MILLISECONDS = 15 * 60_000;

type Upload = {
  file: File;
  query: Record<string, string>;
  /** Called with the number of bytes sent. */
  onSent: (bytes: number) => void;
  /** Aborts the upload. */
  signal: AbortSignal;
};

/** Sends a file as it is. Network failures never throw. */
export function uploadFile<Data>(call: OfficeCall, upload: Upload): Promise<Answer<Data>> {
  return retrySignedIn(call, () => send<Data>(call, upload));
}

const FILE_CHANGED = {
  title: 'File changed',
  status: 409,
  detail: 'This file has changed since it was chosen. Choose it again.',
  errors: [
    { code: 'AnotherFile', description: 'This file has changed since it was chosen. Choose it again.' },
  ],
};

const isReadable = (file: File) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** XMLHttpRequest, since `fetch` doesn't report upload progress. */
function send<Data>(call: OfficeCall, { file, query, onSent, signal }: Upload): Promise<Answer<Data>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const lost = () => resolve(unanswered());
    /** Browsers send no file that was saved since it was chosen, and say no more than that the network failed. */
    const lostOrChanged = async () =>
      (await isReadable(file)) ? lost() : resolve({ ok: false, problem: FILE_CHANGED });
    request.open(call.method, officePath(call.path, {}, query));
    request.timeout = LONGEST_WAIT_MILLISECONDS;
    for (const [name, value] of Object.entries(officeHeaders())) request.setRequestHeader(name, value);
    request.setRequestHeader('Content-Type', /\.json$/i.test(file.name) ? 'application/json' : 'text/csv');
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      const { status, responseText } = request;
      if (status < 200 || status > 299) {
        const retryAfterSeconds = readRetryAfter({ get: (name) => request.getResponseHeader(name) });
        resolve({ ok: false, problem: { ...readProblem(status, responseText), retryAfterSeconds } });
      } else resolve({ ok: true, data: JSON.parse(responseText) as Data });
    };
    request.onerror = () => void lostOrChanged();
    request.ontimeout = lost;
    request.onabort = lost;
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}
