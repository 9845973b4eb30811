/** Browsers say neither when they begin to read it nor when they have: Safari takes a while. */
const READ_BY_MILLISECONDS = 60_000;

/** Saves what the page holds as a file. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READ_BY_MILLISECONDS);
}
