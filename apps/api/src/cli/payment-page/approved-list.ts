import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { CliFailure } from '../cli-failure.ts';
import type { Finding } from './fetch-payment-page.ts';

/** The findings that somebody reviewed and approved. */
export type ApprovedList = { approvedAt: string; url: string; findings: Finding[] };

/** `null` if nothing has been approved yet. */
export async function readApprovedList(file: string): Promise<ApprovedList | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as ApprovedList;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw failure('read', { file, error });
  }
}

export async function writeApprovedList(file: string, list: ApprovedList): Promise<void> {
  try {
    await writeFile(`${file}.new`, `${JSON.stringify(list, null, 1)}\n`);
    await rename(`${file}.new`, file);
  } catch (error) {
    throw failure('written', { file, error });
  }
}

/** Appends one line per run to a log beside the list, with the day's findings. If it can't, these are in the failure. */
export async function recordRun(
  file: string,
  run: { at: string; url: string; changes: string[]; approved: boolean },
) {
  try {
    await appendFile(`${file}.history.jsonl`, `${JSON.stringify(run)}\n`);
  } catch (error) {
    throw failure('written', { file, error, lines: run.changes });
  }
}

function failure(
  what: 'read' | 'written',
  { file, error, lines }: { file: string; error: unknown; lines?: string[] },
): CliFailure {
  return new CliFailure(
    `The list ${file} cannot be ${what}: ${error instanceof Error ? error.message : error}`,
    lines,
  );
}

/** New, missing and changed findings, one line each. */
export function compareFindings(approved: readonly Finding[], found: readonly Finding[]): string[] {
  const key = ({ page, kind, name }: Finding) => `${page}  ${kind}  ${name}`;
  const before = new Map(approved.map((finding) => [key(finding), finding.value]));
  const now = new Map(found.map((finding) => [key(finding), finding.value]));
  return [
    ...[...now].flatMap(([place, value]) => {
      if (!before.has(place)) return [`new      ${place}`];
      return before.get(place) === value ? [] : [`changed  ${place}`];
    }),
    ...[...before.keys()].filter((place) => !now.has(place)).map((place) => `gone     ${place}`),
  ];
}
