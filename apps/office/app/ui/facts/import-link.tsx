import { OfficeLink } from './office-link.tsx';

/** The way on where there is nothing yet because nothing was imported. */
export function ImportLink() {
  return (
    <OfficeLink className="btn btn-primary" to="/import">
      Import invoices
    </OfficeLink>
  );
}
