import { createHash } from 'node:crypto';
import { readRetryAfter, waitAdvice } from '@brightpane/contract/wait-advice';
import type { HttpProblem } from '../../../http/problem.ts';

const STYLE = `
:root{color-scheme:light dark;--ink:#10243a;--paper:#f2f7fb;--surface:#fff;--line:#d5e0ea;--primary:#0b62c4;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e8f0f7;--paper:#0d1722;--surface:#142231;--line:#2b3d50;--primary:#6db3ff;--on:#0d1722}}
body{margin:0;padding:24px 16px;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:500px;margin:0 auto;padding:24px;background:var(--surface);border:1px solid var(--line);border-radius:12px}
h1{font-size:24px;line-height:1.25;margin:0 0 12px}
p{margin:0 0 20px}
a{display:inline-block;box-sizing:border-box;min-height:44px;padding:9px 16px;border:1px solid var(--primary);border-radius:8px;color:var(--primary);text-decoration:none;margin:0 8px 8px 0}
a:first-of-type{background:var(--primary);color:var(--on)}
a:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

export const PROBLEM_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
};

const TITLES: Record<number, string> = {
  403: 'This link is no longer good',
  404: 'There is no document at this address',
};
const NOT_NOW = 'The document cannot be opened at the moment';

/** What links lead to. */
export type FileKind = 'invoice' | 'receipt' | 'statement';

/** Where a new link is. */
const AGAIN: Record<FileKind, string> = {
  invoice: 'Open your invoice again, then choose Open PDF.',
  receipt: 'Open your receipt again, then choose Open PDF.',
  statement: 'Open your statement again, then choose Download CSV.',
};

/** The page for a person whose document link doesn't work. Programs get the problem itself. */
export function problemPage({ body, headers }: HttpProblem, kind: FileKind): string {
  const title = TITLES[body.status] ?? NOT_NOW;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${escaped(advice({ body, headers }, kind))}</p>
${waysOn(body.status, kind)}
</main>
</body>
</html>
`;
}

/** The first is the likeliest. Only accounts have receipts and statements. */
function waysOn(status: number, kind: FileKind): string {
  const again = status in TITLES ? '' : '<a href="">Try again</a>\n';
  return kind === 'invoice'
    ? `${again}<a href="/guest-payment">Find your invoice</a>\n<a href="/invoices">Go to your account</a>`
    : `${again}<a href="/payments">Go to your payments</a>`;
}

function advice({ body, headers }: Pick<HttpProblem, 'body' | 'headers'>, kind: FileKind): string {
  const { status, detail } = body;
  if (status === 403) return `Links to documents work for ten minutes. ${AGAIN[kind]}`;
  if (status === 404) return AGAIN[kind];
  const retryAfterSeconds = readRetryAfter({ get: (name) => headers[name] ?? null });
  return waitAdvice({ status, retryAfterSeconds }) || detail;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
