import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { Emulator } from '../emulator.ts';

const FILES: Record<string, string> = {
  'pay.js': 'text/javascript; charset=utf-8',
  'card.html': 'text/html; charset=utf-8',
  'card.js': 'text/javascript; charset=utf-8',
  'card.css': 'text/css; charset=utf-8',
};

/** Any page may frame it, but card data goes only to this origin. */
const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
].join('; ');

/** Serves Pay.js and the card frame below `/js/v2/`; false if there is no such file. */
export async function serveFile(
  { switches }: Emulator,
  response: ServerResponse,
  url: URL,
): Promise<boolean> {
  const name = /^\/js\/v2\/([a-z.]+)$/.exec(url.pathname)?.[1] ?? '';
  const type = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (type === undefined) return false;
  let text = await readFile(new URL(`../browser/${name}`, import.meta.url), 'utf8');
  const rejects = switches.payJsRejects || url.searchParams.get('errors') === 'reject';
  if (name === 'pay.js')
    text = text
      .replace('const REJECTS = false;', `const REJECTS = ${rejects};`)
      .replace(
        'const THROWS_WITHOUT_FRAME = true;',
        `const THROWS_WITHOUT_FRAME = ${switches.payJsThrowsWithoutFrame};`,
      );
  response.writeHead(200, {
    'content-type': type,
    'content-security-policy': FRAME_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
    'cross-origin-resource-policy': 'cross-origin',
  });
  response.end(text);
  return true;
}
