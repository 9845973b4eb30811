import { type Cents, ZERO } from '@brightpane/money/cents';
import { NO_SERVICES, type ServicesDraft } from './additional-services.tsx';

/** What a customer has selected and typed for one invoice. */
export type DraftLine = {
  isSelected: boolean;
  tipCents: Cents;
  /** The text of the tip field, if it isn't a valid amount. */
  unclearTip?: string | undefined;
  services: ServicesDraft;
};

export const NEW_LINE: DraftLine = {
  isSelected: false,
  tipCents: ZERO,
  unclearTip: undefined,
  services: NO_SERVICES,
};
