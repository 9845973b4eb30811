import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { statementClaim } from '../payments/history/history-links.ts';
import { admitStatement } from '../payments/history/make-statement.ts';
import { writeStatementFile } from '../payments/history/write-statement-file.ts';
import { type GivenLink, isGivenLinkGood } from './open-document.ts';

const FILE = /^payments-([1-9]\d{3})\.csv$/;
const LOCATION = /^\d{1,15}$/;

export const isStatementFile = (file: string): boolean => FILE.test(file);

/** Opens the file behind a statement's link. The signature covers whose it is, so nobody can request another's. */
export async function openStatementFile(deps: Deps, link: GivenLink) {
  const [, year] = FILE.exec(link.file) ?? [];
  const { user: userId, locationId } = link.query;
  const isPlace = locationId === undefined || (typeof locationId === 'string' && LOCATION.test(locationId));
  if (typeof userId !== 'string' || !isPlace) return fail('link-invalid');
  const file = {
    userId,
    year: Number(year),
    locationId: locationId === undefined ? null : Number(locationId),
  };
  if (!isGivenLinkGood(deps, link, statementClaim(file))) return fail('link-invalid');
  const admitted = await admitStatement(deps, { userId });
  if (!admitted.ok) return admitted;
  return ok({ name: link.file, text: await writeStatementFile(deps, file) });
}
