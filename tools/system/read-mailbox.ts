export type Mail = { subject: string; text: string; html: string };

/** Every mail to this address so far, oldest first. */
export async function readMailbox(mailboxUrl: string, address: string): Promise<Mail[]> {
  const answer = await fetch(`${mailboxUrl}/email?${new URLSearchParams({ 'to.address': address })}`);
  return (await answer.json()) as Mail[];
}

/** The first link to this path in a mail's text. Throws if there is none. */
export function linkIn(mail: Mail, path: string): string {
  const link = mail.text.match(/https?:\/\/\S+/g)?.find((each) => new URL(each).pathname === path);
  if (link === undefined) throw new Error(`No link to ${path} in:\n${mail.text}`);
  return link;
}
