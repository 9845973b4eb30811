import { expect, test } from 'vitest';
import { testEnv, useTestApp } from '../../../test/build-test-app.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { createSecretBox } from '../../crypto/secret-box.ts';
import { listAccounts } from './merchant-accounts.queries.ts';
import { openMerchantKeys } from './open-merchant-keys.ts';
import { prepareMerchantAccounts } from './prepare-merchant-accounts.ts';
import { replaceMerchantAccount } from './replace-merchant-account.ts';

const portal = useTestApp();
const keysNamed = (name: string) => ({ apiKey: `${name}-key`, pin: `${name}-pin`, publicKey: `_${name}` });
const settingsNamed = (name: string) =>
  testEnv({ USAEPAY_API_KEY: `${name}-key`, USAEPAY_PIN: `${name}-pin`, USAEPAY_PUBLIC_KEY: `_${name}` });

const accountsOf = async (franchiseId: number | null) =>
  (await listAccounts(portal.deps.db.query)).filter((row) => row.franchiseId === franchiseId);

const replace = (franchiseId: number, keys: ReturnType<typeof keysNamed> | null) =>
  portal.deps.db.transaction((tx) => replaceMerchantAccount(portal.deps, { tx, franchiseId, keys }));

test('new settings make a new account of the portal, and keep the old one', async () => {
  await prepareMerchantAccounts({ ...portal.deps, env: settingsNamed('first') });
  const before = await accountsOf(null);
  await prepareMerchantAccounts({ ...portal.deps, env: settingsNamed('first') });
  expect(await accountsOf(null)).toEqual(before);

  await prepareMerchantAccounts({ ...portal.deps, env: settingsNamed('second') });
  const after = await accountsOf(null);
  expect(after).toHaveLength(before.length + 1);
  expect(after.at(-2)?.replacedAt).not.toBeNull();
  expect(after.at(-1)).toMatchObject({ publicKey: '_second', replacedAt: null });
});

test('instances that start together make one account', async () => {
  const starts = Array.from({ length: 5 }, () =>
    prepareMerchantAccounts({ ...portal.deps, env: settingsNamed('together') }),
  );
  await Promise.all(starts);
  expect((await accountsOf(null)).filter((row) => row.publicKey === '_together')).toHaveLength(1);
});

test('a franchise gets new keys, keeps the old ones for charges begun with them, and can return to the portal’s', async () => {
  const { franchiseId } = await makeInvoice(portal.deps.db.query);
  await replace(franchiseId, keysNamed('old'));
  await replace(franchiseId, keysNamed('new'));
  await replace(franchiseId, keysNamed('new'));
  const [old, current] = await accountsOf(franchiseId);
  expect(await accountsOf(franchiseId)).toHaveLength(2);
  expect(current?.replacedAt).toBeNull();
  const opened = await openMerchantKeys(portal.deps, { accountId: old?.id ?? 0 });
  expect(opened.map(({ apiKey, pin }) => [apiKey, pin])).toEqual([
    ['old-key', 'old-pin'],
    ['new-key', 'new-pin'],
  ]);
  await replace(franchiseId, null);
  expect((await accountsOf(franchiseId)).every((row) => row.replacedAt !== null)).toBe(true);
});

test('encrypts keys at rest, and reseals them under a new data key', async () => {
  const { franchiseId } = await makeInvoice(portal.deps.db.query);
  await replace(franchiseId, keysNamed('sealed'));
  const [before] = await accountsOf(franchiseId);
  expect(JSON.stringify(before)).not.toContain('sealed-key');
  expect(JSON.stringify(before)).not.toContain('sealed-pin');

  const rotated = createSecretBox(['the newest data key of this test', ...portal.deps.env.DATA_KEY]);
  await prepareMerchantAccounts({ ...portal.deps, secretBox: rotated });
  const [after] = await accountsOf(franchiseId);
  expect(after?.apiKey).not.toBe(before?.apiKey);
  const onlyNewest = createSecretBox(['the newest data key of this test']);
  const [opened] = await openMerchantKeys(
    { ...portal.deps, secretBox: onlyNewest },
    { accountId: after?.id ?? 0 },
  );
  expect(opened).toMatchObject({ apiKey: 'sealed-key', pin: 'sealed-pin' });
});
