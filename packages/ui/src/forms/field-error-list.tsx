/** A field's errors: one as a sentence, several as a list. */
export function FieldErrorList({ id, errors }: { id: string; errors: string[] }) {
  if (errors.length === 0) return null;
  if (errors.length === 1) {
    return (
      <div id={id} className="field-errors">
        {errors[0]}
      </div>
    );
  }
  return (
    <ul id={id} className="field-errors">
      {errors.map((error) => (
        <li key={error}>{error}</li>
      ))}
    </ul>
  );
}
