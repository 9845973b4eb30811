import type { Config } from '@react-router/dev/config';

export default {
  ssr: false,
  basename: '/office/',
  /** A route's parts are a few lines each, so one file saves a request. */
  splitRouteModules: false,
  /** Scripts run only as built: the page's import map carries their hashes. */
  subResourceIntegrity: true,
} satisfies Config;
