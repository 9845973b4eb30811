import { maskPersonal } from '@brightpane/contract/mask-personal';
import { makeFetchTransport } from '@sentry/browser';

type MakeTransport = typeof makeFetchTransport;
type Transport = ReturnType<MakeTransport>;
type Envelope = Parameters<Transport['send']>[0];
type Item = Envelope[1][number];

/** The one way out for reports. It masks everything personal in events, traces and recordings. */
export function makeMaskedTransport(options: Parameters<MakeTransport>[0]): Transport {
  const transport = makeFetchTransport(options);
  return {
    ...transport,
    send(envelope) {
      const masked = maskEnvelope(envelope);
      const recording = masked[1].findIndex(isRecording);
      // Without a recording it is sent synchronously: the page may be closing.
      return recording === -1 ? transport.send(masked) : compressed(masked, recording).then(transport.send);
    },
  };
}

function maskEnvelope([headers, items]: Envelope): Envelope {
  return [maskPersonal(headers), (items as Item[]).map(maskItem)] as Envelope;
}

function maskItem(item: Item): Item {
  const [headers, payload] = item;
  if (!isRecording(item)) return [headers, maskPersonal(payload)] as Item;
  const { first, rest } = splitRecording(payload as string);
  return [headers, `${first}${JSON.stringify(maskPersonal(JSON.parse(rest)))}`] as Item;
}

function isRecording([headers]: Item): boolean {
  return headers.type === 'replay_recording';
}

/** A recording is one line about the segment, followed by its events. */
function splitRecording(text: string): { first: string; rest: string } {
  const start = text.indexOf('\n') + 1;
  return { first: text.slice(0, start), rest: text.slice(start) };
}

/** Recordings are most of the traffic, and compress to a tenth. */
async function compressed(envelope: Envelope, index: number): Promise<Envelope> {
  const items = envelope[1] as Item[];
  const { first, rest } = splitRecording(items[index]?.[1] as string);
  const body = 'CompressionStream' in window ? await deflated(rest) : rest;
  const payload = new Uint8Array(await new Blob([first, body]).arrayBuffer());
  const headers = { type: 'replay_recording', length: payload.length };
  return [envelope[0], items.with(index, [headers, payload] as Item)] as Envelope;
}

function deflated(text: string): Promise<Blob> {
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate'))).blob();
}
