import type { OfficeCall } from '../../lib/api-client.ts';

const post = (path: string): OfficeCall => ({ method: 'POST', path: `/office/${path}` });

export const ME: OfficeCall = { method: 'GET', path: '/office/me' };
export const SIGN_IN = post('session');
export const SIGN_IN_TOTP = post('session/totp');
export const SIGN_IN_RECOVERY = post('session/recovery');
export const PASSKEY_OPTIONS = post('session/passkey/options');
export const SIGN_IN_PASSKEY = post('session/passkey');
export const SIGN_IN_DEMO = post('session/demo');
export const RESUME = post('session/resume');
export const REQUEST_RESET = post('session/reset');
export const CONFIRM_RESET = post('session/reset/confirm');
export const SIGN_OUT: OfficeCall = { method: 'DELETE', path: '/office/session' };
export const WELCOME = post('welcome');
export const START_APP = post('factors/totp');
export const CONFIRM_APP = post('factors/totp/confirm');
export const NEW_PASSKEY_OPTIONS = post('factors/passkey/options');
export const ADD_PASSKEY = post('factors/passkey');
export const STEP_UP_TOTP = post('step-up/totp');
export const STEP_UP_PASSKEY_OPTIONS = post('step-up/passkey/options');
export const STEP_UP_PASSKEY = post('step-up/passkey');
export const STEP_UP_DEMO = post('step-up/demo');
