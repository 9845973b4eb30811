/** How long the tests of a file took. */
export type FileTime = { file: string; seconds: number };

/** The ten files whose tests took longest, a line each; nothing when no test ran. */
export function tenSlowest(files: FileTime[]): string {
  const lines = files
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, 10)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${file}\n`);
  return lines.length === 0 ? '' : `The slowest files:\n${lines.join('')}`;
}
