/** The challenge that a credential answers; empty if unreadable. */
export function readChallenge(credential: unknown): Buffer {
  const { response } = credential as { response?: { clientDataJSON?: unknown } };
  try {
    const json = Buffer.from(String(response?.clientDataJSON), 'base64url').toString('utf8');
    const { challenge } = JSON.parse(json) as { challenge?: unknown };
    return Buffer.from(String(challenge), 'base64url');
  } catch {
    return Buffer.alloc(0);
  }
}
