export type Mail = { subject: string; text: string; html: string };

type StoredMail = Mail & { to: { address: string }[] };

/** Every mail to this address so far, oldest first. */
export async function readMailbox(mailboxUrl: string, address: string): Promise<Mail[]> {
  const answer = await fetch(`${mailboxUrl}/email`);
  const mails = (await answer.json()) as StoredMail[];
  return mails.filter(({ to }) => to.some((each) => each.address.toLowerCase() === address.toLowerCase()));
}

/** The first link to this path in a mail's text. Throws if there is none. */
export function linkIn(mail: Mail, path: string): string {
  const link = mail.text.match(/https?:\/\/\S+/g)?.find((each) => new URL(each).pathname === path);
  if (link === undefined) throw new Error(`No link to ${path} in:\n${mail.text}`);
  return link;
}
