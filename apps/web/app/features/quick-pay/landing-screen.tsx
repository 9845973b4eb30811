import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { Link } from 'react-router';
import { WhereTheNumbersAre } from './where-the-numbers-are.tsx';

/** The first page: pay one invoice without an account, or sign in for all of them. */
export function LandingScreen() {
  return (
    <div className="landing">
      <div>
        <PageTitle title="Pay your invoice" />
        <p className="landing-lead">
          Pay one invoice with the numbers printed on it, or sign in and see everything you owe in one place.
        </p>
      </div>

      <div className="landing-ways">
        <section className="way">
          <svg className="way-icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M13 3 5 13.5h6L10 21l9-11.5h-6.500z" />
          </svg>
          <h2>Quick Pay</h2>
          <p>Three numbers from your invoice and a card. It takes a minute and needs no account.</p>
          <div className="way-actions">
            <Link className="btn btn-primary btn-large" to="/guest-payment">
              Quick Pay
            </Link>
          </div>
        </section>
        <section className="way">
          <svg className="way-icon" viewBox="0 0 24 24" aria-hidden="true">
            <circle cx="12" cy="8" r="4" />
            <path d="M4.500 20.500c1.200-4 4-6 7.500-6s6.300 2 7.500 6" />
          </svg>
          <h2>Sign Up / Log In</h2>
          <p>All unpaid invoices of all your locations, paid together with a saved card.</p>
          <div className="way-actions">
            <Link className="btn btn-outline btn-large" to="/register">
              Sign Up
            </Link>
            <Link className="btn btn-outline btn-large" to="/login">
              Log In
            </Link>
          </div>
        </section>
      </div>

      <section className="landing-numbers" aria-labelledby="numbers-heading">
        <div>
          <h2 id="numbers-heading">Where are my numbers?</h2>
          <p className="quiet">In the box “Pay online” of your invoice, beside the code to scan.</p>
          <ol>
            <li>
              <strong>Franchise #</strong>
              <span>Your local office.</span>
            </li>
            <li>
              <strong>Work Order #</strong>
              <span>The job that was done.</span>
            </li>
            <li>
              <strong>Zip Code</strong>
              <span>Of the address where it was done.</span>
            </li>
          </ol>
        </div>
        <WhereTheNumbersAre />
      </section>
    </div>
  );
}
