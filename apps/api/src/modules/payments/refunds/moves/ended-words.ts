/** How a refund that came to nothing is told, in the console and by mail. `then`: what somebody has done about it. */
export const sayRefused = (
  providerWords: string | null,
  then = 'Nothing went back; pay it back another way.',
): string => `Refused: ${providerWords ?? 'The provider does not say why.'} ${then}`;

export const sayNotMade = (then = 'Nothing went back. It is safe to send again.'): string =>
  `Not made. ${then}`;
