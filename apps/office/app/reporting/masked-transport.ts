import { maskPersonal } from '@brightpane/contract/mask-personal';
import { makeFetchTransport } from '@sentry/browser';

type MakeTransport = typeof makeFetchTransport;
type Transport = ReturnType<MakeTransport>;
type Envelope = Parameters<Transport['send']>[0];

/** The one way out for reports. It masks everything personal. */
export function makeMaskedTransport(options: Parameters<MakeTransport>[0]): Transport {
  const transport = makeFetchTransport(options);
  return { ...transport, send: (envelope) => transport.send(maskPersonal(envelope) as Envelope) };
}
