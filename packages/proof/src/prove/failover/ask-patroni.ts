import { request } from 'node:https';
import type { DataNode } from './nodes/data-node.ts';

/** Patroni's answer with status 200; `null` for any other outcome. */
export async function askPatroni(node: DataNode, path: string, body?: object): Promise<unknown> {
  try {
    const { status, text } = await callPatroni(node, path, {
      ...(body && { body, auth: node.patroniLogin }),
    });
    if (status !== 200) return null;
    return text.startsWith('{') ? JSON.parse(text) : text;
  } catch {
    return null;
  }
}

export function callPatroni(
  { address, certificateAuthority }: DataNode,
  path: string,
  { body, auth }: { body?: object; auth?: string } = {},
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({
      host: address,
      port: 8008,
      path,
      ca: certificateAuthority,
      method: body ? 'POST' : 'GET',
      agent: false,
      signal: AbortSignal.timeout(body ? 60_000 : 1_500),
      ...(auth !== undefined && { auth }),
      ...(body && { headers: { 'content-type': 'application/json' } }),
    });
    asked.on('error', reject);
    asked.on('response', async (answer) => {
      try {
        const text = Buffer.concat(await answer.toArray()).toString();
        resolve({ status: answer.statusCode, text });
      } catch (error) {
        reject(error);
      }
    });
    asked.end(body && JSON.stringify(body));
  });
}
