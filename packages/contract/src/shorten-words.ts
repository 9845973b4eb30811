/** What people are told about text that is too long. */
export const shortenWords = (name: string, maxLength: number): string =>
  `Please shorten your ${name} to ${maxLength} characters.`;
