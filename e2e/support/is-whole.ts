/**
 * Whether the journeys look everywhere and press in every way (`npm run journeys -- --whole`), or at a sample of both,
 * as in `npm test`.
 */
export const IS_WHOLE = process.env.WHOLE_JOURNEYS === '1';
