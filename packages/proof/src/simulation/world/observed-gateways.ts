import type { Breakers } from '../../../../../apps/api/src/gateway/breakers.ts';
import type {
  AuthorizeOutcome,
  CaptureOutcome,
  Gateways,
  ListOutcome,
  PaymentGateway,
} from '../../../../../apps/api/src/gateway/payment-gateway.ts';
import { endStep, outside } from '../people/actor.ts';
import type { ProviderTrouble } from './trouble.ts';

/** How a step ends when its caller has an answer, or none, and hasn't stored that yet. */
export const ANSWERED = 'is answered';
export const NOT_ANSWERED = 'is not answered';

/** Odd answers that the provider is made to give for one order, and to record in its own ledger. */
const ODD_APPROVALS = ['partial', 'verify', 'error', 'duplicate'] as const;

/** What it is made to claim about another capture, whether it has captured or not. */
const CAPTURE_LIES = [{ key: 'onfwht1w2ftfssf' }, { auth_amount: '1.00' }].flatMap((answer) =>
  (['before', 'after'] as const).map((when) => ({ fault: 'wrong', command: 'capture', answer, when })),
);

/** The provider as an instance sees it: steps end around each call; answers get lost, come late or are odd. */
export function observeGateways(
  gateways: Gateways,
  /** The instance's own breakers; the real ones never see answers that get lost on the way here. */
  breakers: () => Breakers,
  trouble: () => ProviderTrouble,
  script: (fault: { fault: string; command: string } & Record<string, unknown>) => Promise<void>,
): Gateways {
  async function call<Answer>(
    accountId: number,
    name: string,
    real: () => Promise<Answer>,
    lost: Answer,
    odd: ((real: () => Promise<Answer>) => Promise<Answer>)[] = [],
  ): Promise<Answer> {
    await endStep(`${name} is sent`);
    const happens = () => outside(real);
    const { later, draw } = trouble();
    const losses = [
      async () => lost,
      async () => {
        await happens();
        return lost;
      },
      async () => {
        later(name, real);
        return lost;
      },
    ];
    // Answers get lost as often as they are odd, however many ways there are.
    const goesWrong = draw([
      ...Array.from({ length: Math.max(1, Math.ceil(odd.length / losses.length)) }, () => losses).flat(),
      ...odd.map((way) => () => way(happens)),
    ]);
    const answer = await (goesWrong ?? happens)();
    breakers().note(accountId, { isAnswered: answer !== lost });
    await endStep(`${name} ${answer === lost ? NOT_ANSWERED : ANSWERED}`);
    return answer;
  }

  const observe = (accountId: number, gateway: PaymentGateway): PaymentGateway => ({
    authorize: (request) =>
      call(accountId, 'authorize', () => gateway.authorize(request), { kind: 'unknown' }, [
        async () => ({ kind: 'not-executed', status: 429 }),
        async () => ({ kind: 'declined', sentence: 'Insufficient funds' }),
        ...ODD_APPROVALS.map((fault) => async (real: () => Promise<AuthorizeOutcome>) => {
          await outside(() => script({ fault, command: 'cc:authonly', orderId: request.orderId }));
          return real();
        }),
      ]),
    capture: (hold) =>
      call(accountId, 'capture', () => gateway.capture(hold), { kind: 'unknown' }, [
        async () => ({ kind: 'not-executed', status: 429 }),
        async () => ({ kind: 'impossible', errorCode: 10142 }),
        ...CAPTURE_LIES.map((lie) => async (real: () => Promise<CaptureOutcome>) => {
          await outside(() => script(lie));
          return real();
        }),
      ]),
    release: (hold) => call(accountId, 'release', () => gateway.release(hold), { kind: 'unknown' }),
    void: (sale) => call(accountId, 'void', () => gateway.void(sale), { kind: 'unknown' }),
    refund: (sale) => call(accountId, 'refund', () => gateway.refund(sale), { kind: 'unknown' }),
    find: (transaction) =>
      call(accountId, 'find', () => gateway.find(transaction), { kind: 'unknown' }, [
        async () => ({ kind: 'not-found' }),
      ]),
    list: (page) =>
      call(accountId, 'list', () => gateway.list(page), { kind: 'unknown' }, [
        // The list lags without knowing it, has shifted, or is out of order.
        onPage(({ rows, total }) => ({ rows: rows.slice(1), total: Math.max(0, total - 1) })),
        onPage(({ rows }) => ({ rows: rows.slice(1) })),
        onPage(({ rows }) => ({ rows: rows.toReversed() })),
      ]),
    makeCardToken: (transaction) => gateway.makeCardToken(transaction),
  });

  return {
    of: (keys) => observe(keys.id, gateways.of(keys)),
    admit: (accountId) => breakers().admit(accountId),
  };
}

type Page = Extract<ListOutcome, { kind: 'page' }>;

const onPage =
  (change: (page: Page) => Partial<Page>) =>
  async (real: () => Promise<ListOutcome>): Promise<ListOutcome> => {
    const page = await real();
    return page.kind === 'page' ? { ...page, ...change(page) } : page;
  };
