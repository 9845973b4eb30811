import { domainToUnicode } from 'node:url';

/**
 * An email as stored and compared: trimmed, in lower case, and with its domain as the mail server will read it. Otherwise
 * every spelling of `ｇmail.com` would be an account of its own for one mailbox.
 */
export function emailKey(email: string): string {
  const lower = email.trim().toLowerCase();
  const at = lower.lastIndexOf('@') + 1;
  return lower.slice(0, at) + domainAsRead(lower.slice(at));
}

/** ASCII stays as typed, `xn--` too. */
function domainAsRead(domain: string): string {
  const isPlain = /^[ -~]*$/.test(domain);
  return isPlain ? domain : domainToUnicode(domain).replace(/\.$/, '') || domain;
}
