import { TIP_PRESETS } from '@brightpane/money/tips';
import { useMediaQuery } from '@brightpane/ui/page/use-media-query';
import { type Dispatch, startTransition } from 'react';
import { type DraftChange, tableTips } from '../payment-draft.ts';
import type { Payable } from './payable.ts';
import { PayableInvoiceCards } from './payable-invoice-cards.tsx';
import { PayableInvoiceTable } from './payable-invoice-table.tsx';
import type { PayableInvoiceListProps } from './payable-rows.ts';
import { SelectAll } from './select-all.tsx';

/** The unpaid invoices to choose from: a table if there is room, else cards. */
export function PayableInvoiceList(props: PayableInvoiceListProps) {
  const { payables, selected, change } = props;
  const isWide = useMediaQuery('(min-width: 992px)');
  const Shape = isWide ? PayableInvoiceTable : PayableInvoiceCards;
  return (
    <div className="payables">
      <div className="payables-head">
        <SelectAll
          selected={selected.length}
          all={payables.length}
          onChange={(isSelected) =>
            change({ type: 'select', keys: payables.map(({ key }) => key), isSelected })
          }
        />
        <TableTips selected={selected} change={change} />
      </div>
      <Shape {...props} />
    </div>
  );
}

function TableTips({ selected, change }: { selected: readonly Payable[]; change: Dispatch<DraftChange> }) {
  const takesTips = selected.some(({ invoice }) => invoice.tipsEnabled);
  return (
    <div className="table-tips">
      {TIP_PRESETS.map((preset) => (
        <button
          key={preset}
          type="button"
          className="btn btn-outline"
          disabled={!takesTips}
          onClick={() => startTransition(() => change({ type: 'tip', tips: tableTips(selected, preset) }))}
        >
          Tip {preset}%
        </button>
      ))}
    </div>
  );
}
