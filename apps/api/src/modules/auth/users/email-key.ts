import { domainToUnicode } from 'node:url';

/**
 * An email as stored and compared: trimmed, in lower case, without invisible characters, and with its domain as the mail
 * server will read it. Otherwise every spelling of `ｇmail.com` would be an account of its own for one mailbox.
 */
export function emailKey(email: string): string {
  const visible = email
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim()
    .toLowerCase();
  const at = visible.lastIndexOf('@') + 1;
  return visible.slice(0, at) + domainAsRead(visible.slice(at));
}

/** ASCII stays as typed, and so does what is no domain at all. */
function domainAsRead(domain: string): string {
  const isPlain = /^[ -~]*$/.test(domain);
  return isPlain ? domain : domainToUnicode(domain).replace(/\.$/, '') || domain;
}
