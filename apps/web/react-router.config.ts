import type { Config } from '@react-router/dev/config';

export default {
  ssr: false,
  /** The parts of a route are a few lines each: one file is one request less. */
  splitRouteModules: false,
  /** Every script of ours runs only as it was built: pages name the hash of each in their import map. */
  subResourceIntegrity: true,
  /** The pages that strangers open first. Every other URL starts from `__spa-fallback.html`. */
  prerender: ['/', '/login', '/register', '/guest-payment'],
} satisfies Config;
