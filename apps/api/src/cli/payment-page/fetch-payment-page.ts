import { createHash } from 'node:crypto';
import { CliFailure } from '../cli-failure.ts';
import { findParts, importsOf } from './find-parts.ts';
import type { PagePart, PartOrigin } from './inventory.ts';

/** One compared item: where it is, what it is, and its value. */
export type Finding = {
  page: string;
  kind: PagePart['kind'] | 'address' | 'document' | 'header' | 'markup' | 'broken pin';
  name: string;
  value: string;
};

export type FetchedPage = { findings: Finding[]; parts: PagePart[] };

/** Request the page as a browser does, so that no server shows us a different one. */
const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.9',
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
};

/** Headers that decide what a page may load and send, and where it may be framed. */
const WATCHED_HEADERS = [
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'clear-site-data',
  'content-security-policy',
  'content-security-policy-report-only',
  'content-type',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'link',
  'permissions-policy',
  'referrer-policy',
  'refresh',
  'reporting-endpoints',
  'set-cookie',
  'speculation-rules',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
];

/** The provider's script loads its frame from its own folder. */
const PROVIDER_SCRIPT = /^(.*\/js\/v\d+\/)pay\.js/;

/** Fetches a page with every script and style it leads to, and lists the findings. */
export async function fetchPaymentPage(portal: string, page: string): Promise<FetchedPage> {
  const address = new URL(page, portal);
  const answer = await get(address);
  const html = answer.body.toString();
  const findings: Finding[] = [];
  const parts: PagePart[] = [];
  const find = (kind: Finding['kind'], name: string, value: string) =>
    findings.push({ page, kind, name, value });

  find('address', 'answered by', `${answer.url} (${answer.status})`);
  find('document', 'html', sha256(answer.body));
  for (const name of WATCHED_HEADERS) {
    const value = answer.headers.get(name);
    if (value !== null) find('header', name, value);
  }

  const { inlineScripts, scripts, styles, frames, integrity, foreignMarkup, payJsUrl } = findParts(html);
  const whose = (url: URL): PartOrigin =>
    url.origin === address.origin || !payJsUrl || url.origin !== new URL(payJsUrl).origin
      ? 'portal'
      : 'card-provider';
  const add = (kind: PagePart['kind'], url: URL) => parts.push({ kind, from: whose(url), name: nameOf(url) });
  const nameOf = (url: URL) =>
    whose(url) === 'portal' && url.origin !== address.origin ? url.href : url.pathname;

  for (const [index, text] of inlineScripts.entries()) {
    find('inline-script', `${index + 1}: ${beginningOf(text)}`, sha256(text));
    parts.push({ kind: 'inline-script', from: 'portal', name: text });
  }
  for (const markup of foreignMarkup) find('markup', markup, 'there');

  const pins = new Map([...integrity].map(([written, hash]) => [new URL(written, address).href, hash]));
  const fetched = new Set<string>();
  async function follow(url: URL): Promise<void> {
    if (fetched.has(url.href)) return;
    fetched.add(url.href);
    const kind = url.pathname.endsWith('.css') ? 'style' : 'script';
    add(kind, url);
    const { body, status } = await get(url);
    find(kind, url.href, status === 200 ? sha256(body) : `answered ${status}`);
    const pinned = pins.get(url.href);
    // A stylesheet that a script loads later can't be pinned.
    const hasPin = kind === 'script' || pinned !== undefined;
    if (url.origin === address.origin && hasPin && pinned !== sri(body)) {
      find(
        'broken pin',
        url.href,
        pinned === undefined ? 'the page does not pin it' : 'it is not what the page pins',
      );
    }
    if (kind === 'style' || url.origin !== address.origin) return;
    await Promise.all(importsOf(body.toString()).map((written) => follow(new URL(written, url))));
  }
  await Promise.all([...scripts, ...styles].map((written) => follow(new URL(written, address))));

  if (payJsUrl) {
    await follow(new URL(payJsUrl));
    const [, folder] = PROVIDER_SCRIPT.exec(payJsUrl) ?? [];
    if (folder !== undefined) frames.push(`${folder}card.html`);
  }
  for (const written of frames) {
    const url = new URL(written, address);
    find('frame', url.href, 'there');
    add('frame', url);
  }
  return { findings: findings.sort(byPlace), parts };
}

async function get(url: URL): Promise<{ url: string; status: number; headers: Headers; body: Buffer }> {
  try {
    const answer = await fetch(url, { headers: BROWSER, signal: AbortSignal.timeout(30_000) });
    const { status, headers } = answer;
    return { url: answer.url, status, headers, body: Buffer.from(await answer.arrayBuffer()) };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new CliFailure(`${url.href} does not answer (${cause instanceof Error ? cause.message : cause}).`);
  }
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const sri = (content: Buffer) => `sha384-${createHash('sha384').update(content).digest('base64')}`;
const beginningOf = (script: string) => script.trim().replace(/\s+/g, ' ').slice(0, 24);

function byPlace(one: Finding, other: Finding): number {
  return `${one.kind} ${one.name}` < `${other.kind} ${other.name}` ? -1 : 1;
}
