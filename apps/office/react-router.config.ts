import type { Config } from '@react-router/dev/config';

export default {
  ssr: false,
  basename: '/office/',
  /** The parts of a route are a few lines each: one file is one request less. */
  splitRouteModules: false,
  /** Every script of ours runs only as it was built: the page names the hash of each in its import map. */
  subResourceIntegrity: true,
} satisfies Config;
