import { type Answer, readAnswer, unanswered } from '@brightpane/ui/forms/ask-server';
import { officeHeaders, retrySignedIn } from '../../lib/api-client.ts';

const LONGEST_WAIT_MILLISECONDS = 90_000;

/** Fetches a small file, whose refusal has words. A link's has none: the browser only says that the download failed. */
export function fetchFile(path: string): Promise<Answer<{ name: string; content: Blob }>> {
  return retrySignedIn({ method: 'GET', path }, async () => {
    try {
      const response = await fetch(path, {
        credentials: 'same-origin',
        headers: officeHeaders(),
        signal: AbortSignal.timeout(LONGEST_WAIT_MILLISECONDS),
      });
      if (!response.ok) return await readAnswer(async () => response);
      const [, name = ''] =
        /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
      return { ok: true, data: { name, content: await response.blob() } };
    } catch {
      return unanswered();
    }
  });
}
