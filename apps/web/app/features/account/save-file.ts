/** Browsers say neither when they begin to read it nor when they have: Safari takes a while. */
const READ_BY_MS = 60_000;

/** Saves data as a file of readable JSON. */
export function saveFile(name: string, data: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READ_BY_MS);
}
