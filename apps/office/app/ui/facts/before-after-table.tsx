type Row = { field: string; before: string; after: string };

/** What changed, field by field; of what is new, how it is. */
export function BeforeAfterTable({ caption, rows }: { caption?: string; rows: Row[] }) {
  const isNew = rows.every(({ before }) => before === '–');
  return (
    <table>
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr>
          <th scope="col">Field</th>
          {!isNew && <th scope="col">Before</th>}
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            {!isNew && <td>{before}</td>}
            <td>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
