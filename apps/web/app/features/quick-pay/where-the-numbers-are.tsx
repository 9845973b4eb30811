const NUMBERS = [
  { label: 'Franchise #', value: '101' },
  { label: 'Work Order #', value: '1042' },
  { label: 'Zip Code', value: '62701' },
];

/** A drawing of an invoice, with the three numbers marked in its box "Pay online". */
export function WhereTheNumbersAre() {
  return (
    <svg
      className="paper-invoice"
      viewBox="0 0 608 372"
      role="img"
      aria-label="An invoice with its three numbers marked"
      aria-describedby="where-the-numbers-are"
    >
      <desc id="where-the-numbers-are">
        The three numbers stand side by side in the box “Pay online”, beside the code to scan.
      </desc>
      <rect className="sheet" x="8" y="6" width="592" height="360" rx="12" />

      <rect className="blank" x="40" y="34" width="36" height="36" rx="9" />
      <rect className="blank" x="90" y="36" width="150" height="14" rx="4" />
      <rect className="blank" x="90" y="58" width="84" height="9" rx="4" />
      <text className="heading" x="568" y="56">
        Invoice
      </text>
      <rect className="blank" x="484" y="66" width="84" height="9" rx="4" />
      <rect className="blank" x="40" y="90" width="528" height="2" />

      <rect className="blank" x="40" y="112" width="90" height="10" rx="4" />
      <rect className="blank" x="40" y="132" width="70" height="10" rx="4" />
      <rect className="blank" x="200" y="112" width="110" height="10" rx="4" />
      <rect className="blank" x="200" y="132" width="84" height="10" rx="4" />
      <rect className="wash" x="384" y="106" width="184" height="86" rx="10" />
      <rect className="blank" x="404" y="126" width="72" height="10" rx="4" />
      <rect className="blank" x="404" y="148" width="110" height="24" rx="5" />

      <rect className="box" x="40" y="216" width="528" height="126" rx="10" />
      <text className="title" x="60" y="246">
        Pay online
      </text>
      {NUMBERS.map(({ label, value }, index) => {
        const x = 54 + index * 128;
        return (
          <g key={label}>
            <rect className="mark" x={x} y="262" width="116" height="62" rx="10" />
            <text className="word" x={x + 12} y="285">
              {label}
            </text>
            <text className="value" x={x + 12} y="311">
              {value}
            </text>
            <circle className="dot" cx={x + 112} cy="262" r="13" />
            <text className="dot-number" x={x + 112} y="267">
              {index + 1}
            </text>
          </g>
        );
      })}
      <path
        className="code"
        d="M466 238h22v22h-22zM530 238h22v22h-22zM466 302h22v22h-22zM498 238h8v14h12v8h-20zM498 270h10v10h14v8h-24zM530 270h22v8h-10v14h10v32h-14v-20h-8zM466 270h22v8h-12v14h-10zM498 298h18v10h-8v16h-10z"
      />
    </svg>
  );
}
