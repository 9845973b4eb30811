/** An email as it is stored and compared: without case and surrounding space. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}
