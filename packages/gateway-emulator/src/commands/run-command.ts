import type { Call, Handler, Plan } from '../call.ts';
import { textOf } from '../cards/resolve-card.ts';
import { transactionError } from '../transactions/refusal.ts';
import { adjust, refundAdjust } from './adjust.ts';
import { capture } from './capture.ts';
import { chargeCard } from './charge-card.ts';
import { creditVoid } from './credit-void.ts';
import { chargeCustomer, refundCustomer } from './customer-commands.ts';
import { postAuth } from './post-auth.ts';
import { quickSale } from './quick-sale.ts';
import { credit, refund } from './refund.ts';
import { saveCard } from './save-card.ts';
import { unvoid, voidTransaction } from './void.ts';

const COMMANDS: Record<string, Handler> = {
  sale: (call) => chargeCard(call, 'S'),
  authonly: (call) => chargeCard(call, 'A'),
  capture: (call) => capture(call, 'error'),
  'capture:error': (call) => capture(call, 'error'),
  'capture:reauth': (call) => capture(call, 'reauthorize'),
  'capture:override': (call) => capture(call, 'override'),
  void: (call) => voidTransaction(call, { releases: false }),
  'void:release': (call) => voidTransaction(call, { releases: true }),
  unvoid,
  refund: (call) => refund(call, false),
  quickrefund: (call) => refund(call, true),
  credit,
  creditvoid: creditVoid,
  adjust,
  'refund:adjust': refundAdjust,
  postauth: postAuth,
  quicksale: quickSale,
  save: saveCard,
  'customer:sale': chargeCustomer,
  'customer:refund': refundCustomer,
};

/** Older documents omit the `cc:`; both spellings are the same command. */
export function plainCommand(command: string): string {
  return command.startsWith('cc:') ? command.slice('cc:'.length) : command;
}

/** POST /transactions: `command` selects the handler. */
export function runCommand(call: Call): Plan {
  const command = textOf(call.body.command);
  const plain = plainCommand(command);
  if (call.merchant.forbiddenCommands?.includes(plain)) return transactionError(80);
  if (/^(check|cash):/.test(command)) return transactionError(80);
  const handler = Object.hasOwn(COMMANDS, plain) ? COMMANDS[plain] : undefined;
  return handler ? handler(call) : transactionError(20019);
}
