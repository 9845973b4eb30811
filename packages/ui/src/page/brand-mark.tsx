/** A small pane with light falling across it. Hidden from screen readers, since the name stands beside it. */
export function BrandMark() {
  return (
    <svg className="brand-mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect className="brand-mark-pane" x="3" y="3" width="26" height="26" rx="7" />
      <path className="brand-mark-light" d="M9 23 23 9M9 16l7-7M16 23l7-7" />
    </svg>
  );
}
