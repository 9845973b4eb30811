import type { RefundWireState } from '@brightpane/contract/office/refunds';
import { REFUND_REASON_WORDS } from '@brightpane/contract/office/words/refund-reasons';
import type { ListFilter } from '../../ui/list/filters/list-filter.ts';

const STATES: Record<RefundWireState, string> = {
  requested: 'Waits for approval',
  waiting: 'Waits to be sent',
  sending: 'Being sent',
  unknown: 'No answer yet',
  held: 'Needs a decision',
  made: 'Refunded',
  refused: 'Refused',
  'not-made': 'Not made',
  withdrawn: 'Withdrawn',
};

const choices = (words: Record<string, string>) => [
  { value: '', text: 'All' },
  ...Object.entries(words).map(([value, text]) => ({ value, text })),
];

export const REFUND_FILTERS: ListFilter[] = [
  {
    kind: 'search',
    name: 'search',
    label: 'Search',
    help: 'A work order, a customer, the end of a card, a reference, words of a note.',
  },
  { kind: 'select', name: 'state', label: 'State', options: choices(STATES) },
  {
    kind: 'select',
    name: 'needs',
    label: 'Needs',
    options: [
      { value: '', text: 'Anything' },
      { value: 'approval', text: 'Approval' },
      { value: 'person', text: 'A person' },
    ],
  },
  { kind: 'select', name: 'reason', label: 'Reason', options: choices(REFUND_REASON_WORDS) },
  { kind: 'text', name: 'actor', label: 'By' },
  { kind: 'day', name: 'from', label: 'From' },
  { kind: 'day', name: 'to', label: 'To' },
  { kind: 'money', name: 'minAmount', label: 'At least' },
  { kind: 'money', name: 'maxAmount', label: 'At most' },
];
