/** An email as stored and compared: lower case and trimmed. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}
