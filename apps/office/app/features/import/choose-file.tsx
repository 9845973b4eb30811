import { type DragEvent, useId, useRef, useState } from 'react';

/** An area to drop a file on, with a button for everybody who can't drop. */
export function ChooseFile({ onChoose }: { onChoose: (file: File) => void }) {
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onChoose(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: whoever cannot drop has the button inside.
    <div
      className={`drop-zone${isOver ? ' drop-zone-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <p id={id}>
        Drop a CSV or JSON file here, 64 MB at most. It is checked first; the check changes nothing.
      </p>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
        accept=".csv,.json,text/csv,application/json"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) onChoose(file);
        }}
      />
      <button
        type="button"
        className="btn btn-primary"
        aria-describedby={id}
        onClick={() => input.current?.click()}
      >
        Choose a file
      </button>
    </div>
  );
}
