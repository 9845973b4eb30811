import type { Gateways, PaymentGateway } from '../../src/gateway/payment-gateway.ts';
import { endStep, outside } from './actor.ts';
import type { ProviderTrouble } from './trouble.ts';

/** The provider as an instance sees it: a step ends around each call; answers get lost, come late or are odd. */
export function observeGateways(gateways: Gateways, trouble: () => ProviderTrouble): Gateways {
  async function call<Answer>(
    name: string,
    real: () => Promise<Answer>,
    lost: Answer,
    odd: ((real: () => Promise<Answer>) => Promise<Answer>)[] = [],
  ): Promise<Answer> {
    await endStep(`${name} is sent`);
    const happens = () => outside(real);
    const { later, draw } = trouble();
    const goesWrong = draw([
      async () => lost,
      async () => {
        await happens();
        return lost;
      },
      async () => {
        later(name, real);
        return lost;
      },
      ...odd.map((way) => () => way(happens)),
    ]);
    const answer = await (goesWrong ?? happens)();
    await endStep(`${name} is answered`);
    return answer;
  }

  const observe = (gateway: PaymentGateway): PaymentGateway => ({
    authorise: (request) =>
      call('authorise', () => gateway.authorise(request), { kind: 'unknown' }, [
        async () => ({ kind: 'not-sent' }),
        async () => ({ kind: 'not-executed', status: 429 }),
        async () => ({ kind: 'declined', sentence: 'Insufficient funds' }),
        async () => ({ kind: 'duplicate' }),
        async (real) => {
          await real();
          return { kind: 'duplicate' };
        },
        async (real) => {
          await real();
          return { kind: 'hold-possible', reason: 'not-in-full' };
        },
      ]),
    capture: (hold) =>
      call('capture', () => gateway.capture(hold), { kind: 'unknown' }, [
        async () => ({ kind: 'not-executed', status: 429 }),
        async () => ({ kind: 'impossible', errorCode: 10142 }),
      ]),
    release: (hold) => call('release', () => gateway.release(hold), { kind: 'unknown' }),
    find: (transaction) => call('find', () => gateway.find(transaction), { kind: 'unknown' }),
    list: (page) => call('list', () => gateway.list(page), { kind: 'unknown' }),
    makeCardToken: (transaction) => gateway.makeCardToken(transaction),
  });

  return { of: (keys) => observe(gateways.of(keys)), admit: () => ({ leave: () => {} }) };
}
