import { randomBytes, randomUUID } from 'node:crypto';
import type { NewApp } from '@brightpane/contract/office/sessions';
import { recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { drawQrPath } from '../../../qr/qr-path.ts';
import { toBase32 } from './base32.ts';
import { dropUnconfirmedApps, insertApp } from './factors.queries.ts';
import { totpPlace } from './totp-place.ts';

const SECRET_BYTES = 20;

/**
 * Creates a secret for an authenticator app and shows it once. It counts as a factor only after
 * the app has shown a code.
 */
export async function addApp(
  { secretBox }: Pick<Deps, 'secretBox'>,
  tx: Queryable,
  caller: OfficeCaller,
): Promise<NewApp> {
  const factorId = randomUUID();
  const bytes = randomBytes(SECRET_BYTES);
  const sealed = secretBox.seal(bytes.toString('base64'), totpPlace(factorId));
  await dropUnconfirmedApps(tx, caller.id);
  await insertApp(tx, { id: factorId, staffId: caller.id, totpSecret: sealed });
  await recordAct(tx, caller, { action: 'begin-app', subject: `staff ${caller.id}` });
  const secret = toBase32(bytes);
  const uri = uriOf({ email: caller.name, secret });
  return { factorId, secret, uri, qr: drawQrPath(uri) };
}

function uriOf({ email, secret }: { email: string; secret: string }): string {
  const query = new URLSearchParams({
    secret,
    issuer: 'Brightpane',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
  return `otpauth://totp/${encodeURIComponent(`Brightpane:${email}`)}?${query}`;
}
