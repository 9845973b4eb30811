import { useId } from 'react';
import { count, sizeWords } from './import-words.ts';
import type { Progress } from './use-import.ts';

/** A file's progress: first the bytes sent, then the rows read. */
export function ImportProgress({
  title,
  fileName,
  progress: { bytes, sent, rowsRead, rows },
  onCancel,
}: {
  title: string;
  fileName: string;
  progress: Progress;
  onCancel?: () => void;
}) {
  const id = useId();
  const isSent = sent >= bytes;
  const read = Math.min(rowsRead ?? 0, rows ?? Number.POSITIVE_INFINITY);
  const words = isSent
    ? `${count(read)}${rows === null ? '' : ` of ${count(rows)}`} rows read`
    : `${sizeWords(sent, bytes)} sent`;
  const share = isSent ? (rows ? read / rows : undefined) : bytes === 0 ? 1 : sent / bytes;
  return (
    <section className="panel import-progress" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>{fileName}</p>
      <div
        className="progress"
        role="progressbar"
        aria-label={title}
        aria-valuetext={words}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(share !== undefined && { 'aria-valuenow': Math.round(share * 100) })}
      >
        <div className="progress-bar" style={{ inlineSize: `${Math.round((share ?? 0) * 100)}%` }} />
      </div>
      <p className="figures">{words}</p>
      {onCancel && (
        <button type="button" className="btn btn-outline" onClick={onCancel}>
          Cancel
        </button>
      )}
    </section>
  );
}
