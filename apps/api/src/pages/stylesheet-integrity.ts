import { createHash } from 'node:crypto';

const STYLESHEET = /<link rel="stylesheet" href="([^"]+)"\/?>/g;

/**
 * Pins each stylesheet of a built page to the content that `read` returns for its URL. The build
 * itself pins only scripts.
 */
export function withStylesheetIntegrity(html: string, read: (href: string) => Buffer): string {
  return html.replaceAll(STYLESHEET, (_link, href: string) => {
    const hash = createHash('sha384').update(read(href)).digest('base64');
    return `<link rel="stylesheet" href="${href}" integrity="sha384-${hash}"/>`;
  });
}
