/** How long a file's tests took. */
export type FileTime = { file: string; seconds: number };

/** The ten slowest test files, one per line; empty if no test ran. */
export function tenSlowest(files: FileTime[]): string {
  const lines = files
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, 10)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${file}\n`);
  return lines.length === 0 ? '' : `The slowest files:\n${lines.join('')}`;
}
