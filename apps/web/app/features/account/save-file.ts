/** Saves data as a file of readable JSON. */
export function saveFile(name: string, data: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By the next task the browser has read it.
  setTimeout(() => URL.revokeObjectURL(url));
}
