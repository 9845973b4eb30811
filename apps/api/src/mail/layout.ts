import type { MailContent } from '../db/schema/operations.ts';

/** The parts of a mail in reading order. Texts are plain; the layout escapes them. */
export type MailPart =
  | { kind: 'paragraph'; text: string }
  /** Facts or sums, one per row; `totalLast` sets the last one apart. */
  | { kind: 'table'; rows: { label: string; value: string }[]; totalLast?: boolean }
  | { kind: 'heading'; text: string }
  | { kind: 'button'; label: string; url: string };

/** The frame of every mail, as text and as HTML that old mail programs understand. */
export function mailLayout({ subject, parts }: { subject: string; parts: MailPart[] }): MailContent {
  return {
    subject: oneLine(subject),
    text: `${parts.map(partAsText).join('\n\n')}\n`,
    html: page(oneLine(subject), parts.map(partAsHtml).join('\n')),
  };
}

/** Keeps line breaks in a name from starting another header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

function partAsText(part: MailPart): string {
  switch (part.kind) {
    case 'paragraph':
      return part.text;
    case 'heading':
      return `${part.text}\n${'-'.repeat(part.text.length)}`;
    case 'button':
      return `${part.label}:\n${part.url}`;
    case 'table': {
      const width = Math.min(WIDEST_COLUMN, Math.max(...part.rows.map((row) => row.label.length)));
      return part.rows.map((row) => `${row.label.padEnd(width)}  ${row.value}`).join('\n');
    }
  }
}

/** A longer label, such as one with a payer's note, moves only its own amount and not those of all rows out of sight. */
const WIDEST_COLUMN = 30;

function partAsHtml(part: MailPart): string {
  switch (part.kind) {
    case 'paragraph':
      return `<p style="margin:0 0 16px">${escapeHtml(part.text)}</p>`;
    case 'heading':
      return `<h2 style="margin:24px 0 8px;font-size:16px">${escapeHtml(part.text)}</h2>`;
    case 'button':
      return `<p style="margin:24px 0"><a class="button" href="${escapeHtml(part.url)}" style="display:inline-block;background:#0b62c4;color:#ffffff;text-decoration:none;padding:12px 24px;border-radius:8px;font-weight:600">${escapeHtml(part.label)}</a></p>`;
    case 'table':
      return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse">${part.rows
        .map((row, index) => tableRow(row, part.totalLast === true && index === part.rows.length - 1))
        .join('')}</table>`;
  }
}

function tableRow({ label, value }: { label: string; value: string }, isTotal: boolean): string {
  const style = `border-top:1px solid #d5e0ea;${isTotal ? 'font-weight:700;' : ''}`;
  return `<tr valign="top"><td class="line" style="padding:6px 16px 6px 0;${style}${breaks(label)}">${escapeHtml(label)}</td><td class="line" align="right" style="padding:6px 0;${style}${breaks(value)}font-variant-numeric:tabular-nums">${escapeHtml(value)}</td></tr>`;
}

/** About what a phone has room for, beside a sum. */
const LONGEST_WORD = 20;

/** A cell shrinks to where its text may break. An amount must not; a name that is too long for a phone has to. */
function breaks(text: string): string {
  const isTooLong = text.split(/\s/).some((word) => word.length > LONGEST_WORD);
  return isTooLong ? BREAKS_ANYWHERE : 'overflow-wrap:normal;word-break:normal;';
}

/** Twice: many mail programs know only the older way. */
const BREAKS_ANYWHERE = 'overflow-wrap:anywhere;word-break:break-word;';

/** The light colors stand at the elements: some mail programs drop the head. */
const DARK =
  '@media (prefers-color-scheme:dark){' +
  '.page{background:#0d1722!important;color:#e8f0f7!important}' +
  '.card{background:#142231!important}' +
  '.card,.line{border-color:#2b3d50!important}' +
  '.button{background:#6db3ff!important;color:#06182b!important}}';

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><style>${DARK}</style></head>
<body class="page" style="margin:0;background:#f2f7fb;color:#10243a;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="card" style="max-width:560px;background:#ffffff;border:1px solid #d5e0ea;border-radius:12px"><tr><td style="padding:32px;${BREAKS_ANYWHERE}">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(title)}</h1>
${body}
</td></tr></table></td></tr></table></body></html>
`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
