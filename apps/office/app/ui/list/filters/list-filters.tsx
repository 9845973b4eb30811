import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { focusSoon } from '@brightpane/ui/page/focus-soon';
import { useEffect, useId, useRef, useState } from 'react';
import { Form, useLocation, useSearchParams, useSubmit } from 'react-router';
import { SelectField } from '../../fields/select-field.tsx';
import { SEARCH_FIELD } from '../../frame/use-search-key.ts';
import { firstPage } from '../list-place.ts';
import { focusFirstRow } from '../use-row-keys.ts';
import type { ListFilter } from './list-filter.ts';

/**
 * The filters above a list. They are in the URL, so a reload or a shared link shows the same list. Selects apply at
 * once, typed values with Enter or **Apply**; a day, which may have been picked, also when the filters are left. On a
 * phone all but the search fold into **Filters**.
 */
export function ListFilters({ filters, errors }: { filters: ListFilter[]; errors: FieldErrors }) {
  const [search] = useSearchParams();
  const { state } = useLocation();
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const [isFolded, setIsFolded] = useState(true);
  const values = Object.fromEntries(filters.map(({ name }) => [name, search.get(name) ?? '']));
  const given = filters.filter(({ kind, name }) => kind !== 'search' && values[name] !== '').length;
  // Follows filters that changed in the URL, without overwriting what is being typed.
  const shown = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` is the values as text.
  useEffect(() => {
    for (const [name, value] of Object.entries(values)) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
        const text = field.type === 'date' ? dayOr(value) : value;
        // Set to the same, a date field forgets which part of the day is being typed.
        if (field.value !== text) field.value = text;
      }
    }
  }, [shown]);
  const hasFaults = filters.some(({ kind, name }) => kind !== 'search' && errors[name] !== undefined);
  useEffect(() => {
    if (hasFaults) setIsFolded(false);
  }, [hasFaults]);
  const asksForSearch = (state as { focusSearch?: unknown } | null)?.focusSearch === true;
  useEffect(() => {
    // After the heading, which takes the focus on every new screen.
    if (asksForSearch) return focusSoon(() => form.current?.querySelector(`[${SEARCH_FIELD}]`) ?? null);
  }, [asksForSearch]);

  const apply = () => {
    if (!form.current) return;
    const typed = new FormData(form.current);
    // A day of which a part is missing reads as none.
    for (const { name, validity } of daysIn(form.current))
      if (validity.badInput) typed.set(name, search.get(name) ?? '');
    const next = filterSearch(typed, search);
    // The same filters again only load the list again.
    void submit(next, { method: 'get', replace: next.toString() === search.toString() });
  };
  const fields = (kinds: (kind: ListFilter['kind']) => boolean) =>
    filters
      .filter(({ kind }) => kinds(kind))
      .map((filter) => (
        <FilterField
          key={filter.name}
          filter={filter}
          value={values[filter.name] ?? ''}
          errors={errors[filter.name]}
          onChoose={apply}
        />
      ));
  return (
    <Form
      ref={form}
      method="get"
      role="search"
      className="list-filters"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget) && hasNewDay(currentTarget)) apply();
      }}
    >
      {fields((kind) => kind === 'search')}
      <button
        type="button"
        className="btn btn-outline list-filters-fold"
        aria-expanded={!isFolded}
        aria-controls={id}
        onClick={() => setIsFolded(!isFolded)}
      >
        {given > 0 ? `Filters (${given})` : 'Filters'}
      </button>
      <div id={id} className="list-filters-fields" data-folded={isFolded}>
        {fields((kind) => kind !== 'search')}
        <button type="submit" className="btn btn-outline">
          Apply
        </button>
      </div>
    </Form>
  );
}

/** The URL's query with the form's filters: on the first page, without empty values. */
export function filterSearch(form: FormData, before: URLSearchParams): URLSearchParams {
  const search = firstPage(before);
  for (const [name, value] of form) {
    const text = typeof value === 'string' ? value.trim() : '';
    if (text === '') search.delete(name);
    else search.set(name, text);
  }
  return search;
}

function FilterField({
  filter,
  value,
  errors = [],
  onChoose,
}: {
  filter: ListFilter;
  value: string;
  errors: string[] | undefined;
  onChoose: () => void;
}) {
  const { kind, name, label } = filter;
  if (kind === 'select') {
    return (
      <SelectField
        label={label}
        name={name}
        options={filter.options}
        defaultValue={value}
        errors={errors}
        onChange={onChoose}
      />
    );
  }
  if (kind === 'search') {
    return (
      <FormField
        className="list-filters-search"
        label={label}
        name={name}
        type="search"
        defaultValue={value}
        required={false}
        autoComplete="off"
        spellCheck={false}
        help={filter.help}
        errors={errors}
        onKeyDown={focusFirstRow}
        {...{ [SEARCH_FIELD]: '' }}
      />
    );
  }
  return (
    <FormField
      label={label}
      name={name}
      defaultValue={kind === 'day' ? dayOr(value) : value}
      required={false}
      autoComplete="off"
      errors={errors}
      {...(kind === 'day'
        ? { type: 'date' }
        : kind === 'money'
          ? { type: 'text', inputMode: 'decimal', prefix: '$' }
          : { type: 'text' })}
    />
  );
}

/** A date field takes only dates; anything else in the URL gets an error under the field. */
const dayOr = (value: string) => (isDay(value) ? value : '');

function isDay(value: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

const daysIn = (form: HTMLFormElement) => [...form.querySelectorAll<HTMLInputElement>('[type="date"]')];

/** Whether the form has another day than the URL, and none of which a part is still missing. */
function hasNewDay(form: HTMLFormElement): boolean {
  const days = daysIn(form);
  return (
    days.every(({ validity }) => !validity.badInput) &&
    days.some(({ value, defaultValue }) => value !== defaultValue)
  );
}
