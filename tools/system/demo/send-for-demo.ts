/** Makes one of the demo's calls. Returns the answer, if it has one. */
export async function sendForDemo<Answer = undefined>(
  url: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The demo's customer cannot be made (${url}):\n${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}
