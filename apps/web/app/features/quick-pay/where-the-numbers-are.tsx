/** A drawing of an invoice with the three places marked where its numbers are printed. */
export function WhereTheNumbersAre() {
  return (
    <svg
      className="paper-invoice"
      viewBox="0 0 560 330"
      role="img"
      aria-label="An invoice with its three numbers marked"
      aria-describedby="where-the-numbers-are"
    >
      <desc id="where-the-numbers-are">
        The franchise number stands at the top left under the company's name, the work order number at the top
        right, and the zip code at the end of the service address.
      </desc>
      <rect className="sheet" x="8" y="6" width="544" height="318" rx="10" />

      <rect className="blank" x="36" y="32" width="150" height="14" rx="4" />
      <rect className="mark" x="30" y="58" width="176" height="34" rx="8" />
      <text className="word" x="42" y="80">
        Franchise #
      </text>
      <text className="value" x="162" y="80">
        101
      </text>
      <circle className="dot" cx="216" cy="58" r="13" />
      <text className="dot-number" x="216" y="63">
        1
      </text>

      <text className="word" x="352" y="46">
        INVOICE
      </text>
      <rect className="mark" x="342" y="58" width="182" height="34" rx="8" />
      <text className="word" x="354" y="80">
        Work Order #
      </text>
      <text className="value" x="474" y="80">
        1042
      </text>
      <circle className="dot" cx="342" cy="58" r="13" />
      <text className="dot-number" x="342" y="63">
        2
      </text>

      <text className="word" x="36" y="130">
        Service address
      </text>
      <rect className="blank" x="36" y="142" width="98" height="10" rx="4" />
      <rect className="blank" x="36" y="166" width="96" height="10" rx="4" />
      <rect className="mark" x="144" y="154" width="80" height="32" rx="8" />
      <text className="value" x="158" y="176">
        62701
      </text>
      <circle className="dot" cx="234" cy="154" r="13" />
      <text className="dot-number" x="234" y="159">
        3
      </text>

      <rect className="blank" x="36" y="214" width="488" height="2" />
      <rect className="blank" x="36" y="234" width="210" height="10" rx="4" />
      <rect className="blank" x="454" y="234" width="70" height="10" rx="4" />
      <rect className="blank" x="36" y="258" width="170" height="10" rx="4" />
      <rect className="blank" x="464" y="258" width="60" height="10" rx="4" />
      <rect className="blank" x="404" y="284" width="120" height="2" />
      <text className="word" x="404" y="308">
        Total
      </text>
      <rect className="blank" x="454" y="298" width="70" height="12" rx="4" />
    </svg>
  );
}
