/** The demo's staff, by the label of their line in the start's output. */
const DEMO_STAFF = { Office: 'olive@example.com', HQ: 'henry@example.com' };

/** Links that each sign in once within a day; none if the demo isn't loaded. */
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
