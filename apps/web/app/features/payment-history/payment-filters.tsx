import type { Location } from '@brightpane/contract/customers/locations';
import { type ReactNode, useId } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { type HistoryFilter, paymentsPath, readFilter } from './history-path.ts';

/** The list's year and location. A change takes effect at once, and shows before its list has loaded. */
export function PaymentFilters({
  filter: loaded,
  years,
  locations,
  nameOf,
}: {
  filter: HistoryFilter;
  /** The years that have payments. */
  years: number[];
  locations: Location[];
  nameOf: (location: Location) => string;
}) {
  const navigate = useNavigate();
  const { location: next } = useNavigation();
  const filter = next?.pathname === '/payments' ? readFilter(new URLSearchParams(next.search)) : loaded;
  const show = (change: Partial<HistoryFilter>) => void navigate(paymentsPath({ ...filter, ...change }));
  const choices = [...new Set([filter.year, new Date().getFullYear(), ...years])].sort(
    (one, other) => other - one,
  );
  return (
    <div className="payment-filters no-print">
      <Select label="Year" value={String(filter.year)} onChange={(year) => show({ year: Number(year) })}>
        {choices.map((year) => (
          <option key={year} value={year}>
            {year}
          </option>
        ))}
      </Select>
      <Select
        label="Location"
        value={filter.locationId ?? ''}
        onChange={(locationId) => show({ locationId: locationId || null })}
      >
        <option value="">All locations</option>
        {locations.map((location) => (
          <option key={location.locationId} value={location.locationId}>
            {nameOf(location)}
          </option>
        ))}
      </Select>
    </div>
  );
}

function Select({
  label,
  value,
  onChange,
  children,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div>
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="form-select"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {children}
      </select>
    </div>
  );
}
