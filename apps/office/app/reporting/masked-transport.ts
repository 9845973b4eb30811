import { maskPersonal } from '@brightpane/contract/mask-personal';
import { makeFetchTransport } from '@sentry/browser';

type MakeTransport = typeof makeFetchTransport;
type Transport = ReturnType<MakeTransport>;
type Envelope = Parameters<Transport['send']>[0];

/** Sends reports by way of this one place, in which everything personal is masked. */
export function makeMaskedTransport(options: Parameters<MakeTransport>[0]): Transport {
  const transport = makeFetchTransport(options);
  return { ...transport, send: (envelope) => transport.send(maskPersonal(envelope) as Envelope) };
}
