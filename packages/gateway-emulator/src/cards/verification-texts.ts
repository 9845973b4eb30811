const AVS_TEXTS: Record<string, string> = {
  YYY: 'Address: Match & 5 Digit Zip: Match',
  NYZ: 'Address: No Match & 5 Digit Zip: Match',
  YNA: 'Address: Match & 5 Digit Zip: No Match',
  NNN: 'Address: No Match & 5 Digit Zip: No Match',
  YYX: 'Address: Match & 9 Digit Zip: Match',
  NYW: 'Address: No Match & 9 Digit Zip: Match',
  XXW: 'Card Number Not On File',
  XXU: 'Address Information not verified for domestic transaction',
  XXR: 'Retry / System Unavailable',
  XXS: 'Service Not Supported',
  XXE: 'Address Verification Not Allowed For Card Type',
  XXG: 'Global Non-AVS participant',
  YYG: 'International Address: Match & Zip: Not Compatible',
  GGG: 'International Address: Match & Zip: Match',
  YGG: 'International Address: Not Compatible & Zip: Match',
};

const CVC_TEXTS: Record<string, string> = {
  M: 'Match',
  N: 'No Match',
  P: 'Not Processed',
  S: 'Should be on card but not so indicated',
  U: 'Issuer Not Certified',
  X: 'No response from association',
  '': 'No CVV2/CVC data available for transaction.',
};

export interface Verification {
  result_code: string;
  result: string;
}

export function avsVerification(code: string): Verification {
  return { result_code: code, result: AVS_TEXTS[code] ?? `Unmapped AVS response (${code})` };
}

export function cvcVerification(code: string): Verification {
  return { result_code: code, result: CVC_TEXTS[code] ?? '' };
}
