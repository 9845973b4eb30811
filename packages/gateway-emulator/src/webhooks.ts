import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Call, WebhookNotice } from './call.ts';
import { merchantTime } from './merchants/merchant-time.ts';
import type { Switches } from './switches.ts';
import { amountHeld } from './transactions/transaction-view.ts';
import { detailOf } from './transactions/transactions.ts';

const ANSWER_SECONDS = 45;

/** HMAC-SHA256 of the raw body in hex: the value of X-Signature. */
function webhookSignature(body: string, key: string): string {
  return createHmac('sha256', key).update(body).digest('hex');
}

function objectOf(call: Call, notice: WebhookNotice): Record<string, unknown> {
  if ('object' in notice) return notice.object;
  // Events have no order id, and the reference number as a number.
  const { orderid: _, ...object } = detailOf(call, notice.transaction);
  return {
    ...object,
    auth_amount: amountHeld(notice.transaction),
    refnum: Number(notice.transaction.refnum),
    uri: `/api/v2/transactions/${notice.transaction.key}`,
  };
}

function envelopeOf(call: Call, notice: WebhookNotice): string {
  return JSON.stringify({
    type: 'event',
    event_triggered: merchantTime(call.now, call.switches.timeZone),
    event_type: notice.event,
    event_body: { merchant: { merch_key: call.merchant.name }, object: objectOf(call, notice) },
    event_id: randomBytes(32).toString('hex'),
  });
}

async function isTaken(switches: Switches, body: string, stopped: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(switches.webhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-signature': webhookSignature(body, switches.webhookKey),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(ANSWER_SECONDS * 1000)]),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function deliver(switches: Switches, body: string, stopped: AbortSignal): Promise<void> {
  for (const seconds of [0, ...switches.webhookRetrySeconds]) {
    await wait(seconds * 1000, undefined, { ref: false, signal: stopped }).catch(() => undefined);
    if (stopped.aborted || (await isTaken(switches, body, stopped))) return;
  }
}

/** Sends events to the configured URL and retries until it accepts them. Doesn't wait for that. */
export function announce(call: Call, notices: WebhookNotice[], stopped: AbortSignal): void {
  if (call.switches.webhookUrl === '') return;
  for (const notice of notices) void deliver(call.switches, envelopeOf(call, notice), stopped);
}
