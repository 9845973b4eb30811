/** Of the demo's people: who signs in to the console by which line. */
const DEMO_STAFF = { Office: 'olive@example.com', HQ: 'henry@example.com' };

/** An address for each that signs in once, within a day; nothing where the demo's story isn't told. */
export async function makeOfficeLinks(options: {
  portalUrl: string;
  officeApiKey: string;
}): Promise<[string, string | undefined][]> {
  const { portalUrl, officeApiKey } = options;
  return Promise.all(
    Object.entries(DEMO_STAFF).map(async ([line, email]): Promise<[string, string | undefined]> => {
      const answer = await fetch(`${portalUrl}/api/office/demo-links`, {
        method: 'POST',
        headers: { authorization: `Bearer ${officeApiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      });
      return [line, answer.ok ? ((await answer.json()) as { link: string }).link : undefined];
    }),
  );
}
