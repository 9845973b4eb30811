import { expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { callConsole, makeStaff, OFFICE_SETTINGS } from '../../../../test/office/office-people.ts';
import { createSecretBox } from '../../../crypto/secret-box.ts';
import { findApp } from './factors.queries.ts';
import { resealApps } from './reseal-apps.ts';
import { totpPlace } from './totp-place.ts';

const portal = useTestApp(OFFICE_SETTINGS);
const OLD_KEY = 'a data key that is used only in tests';

test('reseals an app’s secret under a newer key, so that the older one can be removed', async () => {
  const { staffId, secret } = await makeStaff(portal);
  const newer = createSecretBox(['a newer data key, for tests as well', OLD_KEY]);
  await resealApps({ ...portal.deps, secretBox: newer });
  const app = await findApp(portal.deps.db.query, staffId);
  const newest = createSecretBox(['a newer data key, for tests as well']);
  const opened = newest.open(app?.totpSecret ?? '', totpPlace(app?.id ?? ''));
  expect(opened).toBe(secret.toString('base64'));
});

test('an app under a lost key is reported until it is removed', async () => {
  const { staffId } = await makeStaff(portal);
  const app = await findApp(portal.deps.db.query, staffId);
  const unreadable = async () => (await callOffice(portal, 'GET', '/status')).json().unreadableSecrets;
  await resealApps({ ...portal.deps, secretBox: createSecretBox(['a data key that nobody has any more']) });
  expect(await unreadable()).toContain(`staff_factor ${app?.id}`);
  const removed = await callConsole(portal, 'DELETE', `/staff/${staffId}/factors`, {
    headers: { authorization: `Bearer ${OFFICE_SETTINGS.OPERATOR_KEY}` },
  });
  expect(removed.statusCode, removed.body).toBe(204);
  expect(await unreadable()).not.toContain(`staff_factor ${app?.id}`);
});
