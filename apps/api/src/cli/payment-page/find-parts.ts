/** What a page's HTML refers to, in document order. */
export type HtmlParts = {
  inlineScripts: string[];
  /** URLs of scripts, from script elements, preloads, the import map and imports in inline scripts. */
  scripts: string[];
  styles: string[];
  frames: string[];
  /** The page's integrity pins, by URL. */
  integrity: Map<string, string>;
  /** Elements and attributes that could take over the page, and that none of our pages has. */
  foreignMarkup: string[];
  /** The card provider's script, from the page's settings. */
  payJsUrl: string | undefined;
};

const ELEMENT = /<(script|link|iframe|frame|object|embed|base|meta)\b([^>]*)>/gi;
const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const ATTRIBUTE = /([\w:-]+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
const HANDLER = /<[a-z][^>]*?\s(on[a-z]+)\s*=/gi;

/** Parses the HTML without running it. The page is also compared as a whole; this tells what a change is about. */
export function findParts(html: string): HtmlParts {
  const parts: HtmlParts = {
    inlineScripts: [],
    scripts: [],
    styles: [],
    frames: [],
    integrity: new Map(),
    foreignMarkup: [],
    payJsUrl: undefined,
  };
  for (const [, attributeText = '', text = ''] of html.matchAll(SCRIPT)) {
    readScript(parts, readAttributes(attributeText), text);
  }
  const withoutScripts = html.replaceAll(SCRIPT, '');
  for (const [, element = '', attributeText = ''] of withoutScripts.matchAll(ELEMENT)) {
    readElement(parts, element.toLowerCase(), readAttributes(attributeText));
  }
  for (const [, handler = ''] of withoutScripts.matchAll(HANDLER)) parts.foreignMarkup.push(`${handler}=`);
  return parts;
}

function readScript(parts: HtmlParts, attributes: Map<string, string>, text: string): void {
  const source = attributes.get('src');
  if (source !== undefined) {
    parts.scripts.push(source);
    pin(parts, source, attributes.get('integrity'));
    return;
  }
  if (attributes.get('type') === 'application/json') {
    if (attributes.get('id') === 'settings') readSettings(parts, text);
    return;
  }
  parts.inlineScripts.push(text);
  if (attributes.get('type') === 'importmap') {
    for (const [address, hash] of Object.entries(readJson(parts, text).integrity ?? {})) {
      parts.scripts.push(address);
      pin(parts, address, String(hash));
    }
    return;
  }
  parts.scripts.push(...importsOf(text));
}

function readSettings(parts: HtmlParts, text: string): void {
  const { payJsUrl } = readJson(parts, text);
  if (typeof payJsUrl === 'string' && URL.canParse(payJsUrl)) parts.payJsUrl = payJsUrl;
  else parts.foreignMarkup.push('settings without the card provider’s script');
}

function readJson(parts: HtmlParts, text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    parts.foreignMarkup.push('JSON that cannot be read');
    return {};
  }
}

function readElement(parts: HtmlParts, element: string, attributes: Map<string, string>): void {
  const address = attributes.get('href') ?? attributes.get('src') ?? '';
  const relation = attributes.get('rel')?.toLowerCase() ?? '';
  if (element === 'link' && relation === 'stylesheet') {
    parts.styles.push(address);
    pin(parts, address, attributes.get('integrity'));
  } else if (element === 'link' && /preload/.test(relation)) {
    if (relation === 'modulepreload' || attributes.get('as') === 'script') parts.scripts.push(address);
    pin(parts, address, attributes.get('integrity'));
  } else if (element === 'iframe' || element === 'frame') {
    parts.frames.push(address);
  } else if (['object', 'embed', 'base'].includes(element) || attributes.has('http-equiv')) {
    parts.foreignMarkup.push(`<${element}> ${attributes.get('http-equiv') ?? address}`.trim());
  }
}

function readAttributes(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', ...values]) => [
      name.toLowerCase(),
      values.find((value) => value !== undefined) ?? '',
    ]),
  );
}

function pin(parts: HtmlParts, address: string, hash: string | undefined): void {
  if (hash !== undefined) parts.integrity.set(address, hash);
}

const IMPORT = /\b(?:from|import)\s*\(?\s*["'`]([^"'`\s]+)["'`]/g;
/** Vite's list of files that dynamic imports need. */
const LISTED = /["'](assets\/[\w.-]+\.(?:js|css))["']/g;

/** The URLs that a script imports, statically or dynamically, as written. */
export function importsOf(script: string): string[] {
  return [
    ...[...script.matchAll(IMPORT)]
      .map(([, address = '']) => address)
      .filter((address) => /^[./]/.test(address)),
    ...[...script.matchAll(LISTED)].map(([, address]) => `/${address}`),
  ];
}
