import type { Config } from '@react-router/dev/config';

export default {
  ssr: false,
  /** A route's parts are a few lines each, so one file saves a request. */
  splitRouteModules: false,
  /** Scripts run only as built: each page's import map carries their hashes. */
  subResourceIntegrity: true,
  /** The pages that strangers open first. Every other URL starts from `__spa-fallback.html`. */
  prerender: ['/', '/login', '/register', '/guest-payment'],
} satisfies Config;
