import type { CrashPoint } from '../../src/crash-points.ts';
import { migrate } from '../../src/db/migrate.ts';

// Migrates the database in DATABASE_URL as a starting instance does, and kills itself at the point in CRASH_AT.

await migrate(process.env.DATABASE_URL ?? '', {
  crashPoint: (reached: CrashPoint) => {
    if (reached === process.env.CRASH_AT) process.kill(process.pid, 'SIGKILL');
  },
});
