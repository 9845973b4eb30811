import type { Deps } from '../../deps.ts';
import type { TaskName } from '../task-names.ts';
import type { Timers } from '../timers.ts';
import { type LaneLag, readLaneLags } from './lags.queries.ts';
import { listSilent } from './list-silent.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

/** When a lane's work counts as late; deploy/alerts.yaml says the same. */
export const LATE_AFTER_SECONDS: Record<TaskName, number> = {
  'expire-payments': MINUTE_SECONDS,
  'sweep-charges': MINUTE_SECONDS,
  'sweep-refunds': 5 * MINUTE_SECONDS,
  'find-holds': 5 * MINUTE_SECONDS,
  'compare-after-restore': HOUR_SECONDS,
  'deliver-mail': 5 * MINUTE_SECONDS,
  'answer-mail-requests': MINUTE_SECONDS,
  'index-words': HOUR_SECONDS,
  'check-mail': 5 * MINUTE_SECONDS,
  'check-books': 15 * MINUTE_SECONDS,
  'check-all-books': 4 * HOUR_SECONDS,
  'compare-books': 4 * HOUR_SECONDS,
  'fill-shares': 4 * HOUR_SECONDS,
  'forget-old': 4 * HOUR_SECONDS,
};

export const isLaneLate = ({ lane, seconds }: LaneLag): boolean => seconds > LATE_AFTER_SECONDS[lane];

const LOOK_MILLISECONDS = 15_000;
const SAY_AGAIN_MILLISECONDS = 5 * MINUTE_SECONDS * 1000;

type Trouble = { alert: string; [fact: string]: unknown };

/**
 * Reports what hangs or is late, from outside every lane: it has its own timer and uses
 * nothing that a lane could block.
 */
export function watchLanes(
  deps: Pick<Deps, 'db' | 'env' | 'log' | 'reporter'>,
  timers: Timers,
): { look(): Promise<void>; start(): void; stop(): Promise<void> } {
  const { db, env, log, reporter } = deps;
  const place = { publicUrl: env.PUBLIC_URL };
  /** When each trouble was last reported; ended ones are dropped. */
  let said = new Map<string, number>();
  let underWay: Promise<void> = Promise.resolve();
  let cancel = () => {};
  let isStopped = false;

  const troubles = async (): Promise<Trouble[]> => {
    const found: Trouble[] = reporter.isSilent() ? [{ alert: 'no answer', what: 'error reports' }] : [];
    const lags = await readLaneLags(db.query, place);
    for (const lag of lags.filter(isLaneLate)) found.push({ alert: 'background work is late', ...lag });
    for (const what of await listSilent(db.query, place)) found.push({ alert: 'no answer', what });
    return found;
  };

  const look = async () => {
    const now = timers.now();
    const still = new Map<string, number>();
    try {
      for (const trouble of await troubles()) {
        const name = `${trouble.alert} ${trouble.lane ?? trouble.what ?? ''}`;
        const before = said.get(name);
        const isSaid = before !== undefined && now - before < SAY_AGAIN_MILLISECONDS;
        still.set(name, isSaid ? before : now);
        if (!isSaid) log.error(trouble, 'background work needs attention');
      }
      for (const name of said.keys())
        if (!still.has(name)) log.warn({ over: name }, 'background work is well again');
      said = still;
    } catch (error) {
      log.error({ err: error, alert: 'background work is not watched' }, 'the lanes could not be watched');
    }
  };

  const goOn = () => {
    cancel = timers.after(LOOK_MILLISECONDS, () => {
      underWay = look().then(() => {
        if (!isStopped) goOn();
      });
    });
  };

  return {
    look,
    start: goOn,
    async stop() {
      isStopped = true;
      cancel();
      await underWay;
    },
  };
}
