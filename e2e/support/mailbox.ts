import { expect } from '@playwright/test';
import { linkIn, type Mail, readMailbox } from '../../tools/system/read-mailbox.ts';
import { systemUnderTest } from './system.ts';

/** Every mail to this address so far, oldest first. */
export function mailsTo(address: string): Promise<Mail[]> {
  return readMailbox(systemUnderTest().mailboxUrl, address);
}

/** Waits for a mail to this address whose subject contains these words. */
export async function readMail(options: { to: string; subject: string }): Promise<Mail> {
  const { to, subject } = options;
  const found = async () => (await mailsTo(to)).find((mail) => mail.subject.includes(subject));
  await expect.poll(found, { message: `a mail "${subject}" to ${to}`, timeout: 60_000 }).toBeTruthy();
  return (await found()) as Mail;
}

export { linkIn };
