import type { CrashPoint } from '../../../../../apps/api/src/crash-points.ts';
import { sweepCharges } from '../../../../../apps/api/test/books/sweep.ts';
import type { Attack } from '../attack.ts';
import { useOwnPostgres } from './own-postgres.ts';
import { makeWish, payInTheEnd, pressAttacked } from './pay-in-the-end.ts';
import type { EnvironmentRig } from './rig.ts';

type Stop = { point: CrashPoint; accounts: 'guest' | 1 | 3; inSweep?: boolean };

const STOPS: Stop[] = [
  { point: '01-before-claim', accounts: 'guest' },
  { point: '02-inside-claim', accounts: 'guest' },
  { point: '03-after-claim', accounts: 'guest' },
  { point: '05-authorize-written', accounts: 'guest' },
  { point: '06-authorize-answered', accounts: 1 },
  { point: '07-inside-authorised', accounts: 3 },
  { point: '08-after-authorised', accounts: 3 },
  { point: '09-inside-accept', accounts: 'guest' },
  { point: '09-inside-accept', accounts: 3 },
  { point: '10-after-accept', accounts: 1 },
  { point: '12-before-capture', accounts: 'guest', inSweep: true },
  { point: '13-after-capture', accounts: 'guest', inSweep: true },
  { point: '14-capture-stored', accounts: 'guest', inSweep: true },
  { point: '19-some-captured', accounts: 3, inSweep: true },
  { point: '13-after-capture', accounts: 3, inSweep: true },
];

export const databaseStops: Attack<EnvironmentRig>[] = [
  {
    id: 'F34',
    name: 'a database that dies at each step of a payment and comes back loses nothing',
    runs: STOPS.length,
    async run(rig, { run, random }) {
      const postgres = await useOwnPostgres(rig);
      const { people } = postgres;
      const {
        point,
        accounts,
        inSweep = false,
      } = STOPS[run % STOPS.length] ?? { point: '01-before-claim', accounts: 1 };
      const wish = await makeWish(people, { accounts });
      // The database returns while the payer still waits, or later.
      const isSoonBack = random.percent(50);
      let back: Promise<void> | undefined;
      people.at = (reached) => {
        if (reached !== point || back) return;
        postgres.stopAtOnce();
        back = isSoonBack ? postgres.start() : Promise.resolve();
      };
      const told = await pressAttacked(people, wish);
      // A failing sweep throws; its next run continues from the rows.
      if (inSweep) await sweepCharges(people.attacked.deps).catch(() => {});
      if (!back) throw new Error(`${point} was not reached`);
      await back;
      await postgres.start();
      people.at = () => {};
      if (inSweep && told.heard !== 'paid') throw new Error(`heard ${told.status}`);
      await payInTheEnd(people, wish);
    },
  },
];
