import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { admitList } from './list-limits.ts';

const portal = useTestApp();

test('a person reads 120 lists a minute, and a key as many as it needs', async () => {
  const [person, other] = [randomUUID(), randomUUID()];
  for (let count = 0; count < 120; count++) await admitList(portal.deps, { kind: 'staff', id: person });
  await expect(admitList(portal.deps, { kind: 'staff', id: person })).rejects.toMatchObject({
    body: { status: 429 },
  });
  await admitList(portal.deps, { kind: 'staff', id: other });
  for (let count = 0; count < 130; count++) await admitList(portal.deps, { kind: 'key', id: person });
});
