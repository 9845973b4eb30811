import { expect } from '@playwright/test';
import { systemUnderTest } from './system.ts';

export type Mail = { subject: string; text: string; html: string };

type StoredMail = Mail & { id: string; to: { address: string }[] };

/** Waits for the mail to this address whose subject contains these words, and reads it. */
export async function readMail(options: { to: string; subject: string }): Promise<Mail> {
  const { to, subject } = options;
  const found = async () => (await mailsTo(to)).find((mail) => mail.subject.includes(subject));
  await expect.poll(found, { message: `a mail "${subject}" to ${to}`, timeout: 20_000 }).toBeTruthy();
  return (await found()) as Mail;
}

/** Every mail to this address so far, oldest first. */
export async function mailsTo(address: string): Promise<Mail[]> {
  const answer = await fetch(`${systemUnderTest().mailboxUrl}/email`);
  const mails = (await answer.json()) as StoredMail[];
  return mails.filter((mail) =>
    mail.to.some((each) => each.address === address.toLowerCase() || each.address === address),
  );
}

/** The first link in a mail's text that contains this path. Throws when there is none. */
export function linkIn(mail: Mail, path: string): string {
  const link = mail.text.match(/https?:\/\/\S+/g)?.find((each) => each.includes(path));
  if (link === undefined) throw new Error(`No link to ${path} in:\n${mail.text}`);
  return link;
}
