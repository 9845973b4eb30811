import { CliFailure } from '../cli-failure.ts';
import type { Command } from '../command.ts';
import {
  compareFindings,
  readApprovedList,
  recordRun,
  writeApprovedList,
} from '../payment-page/approved-list.ts';
import { fetchPaymentPage } from '../payment-page/fetch-payment-page.ts';
import { findLine, PAYMENT_PAGES, readInventory } from '../payment-page/inventory.ts';
import { readParameters } from '../read-parameters.ts';
import { WrongWords } from '../wrong-words.ts';

const DEFAULT_LIST = 'payment-page.approved.json';

/**
 * `payment-page-check`: checks that the pages on which cards are typed reach browsers as somebody approved them (PCI
 * DSS 4.0.1, 11.6.1). Fails on any change, for use in a weekly job.
 */
export const paymentPageCheck: Command = async (client, parameters, print) => {
  const { values } = readParameters({
    args: parameters,
    options: {
      url: { type: 'string', default: client.url },
      baseline: { type: 'string', default: DEFAULT_LIST },
      approve: { type: 'boolean', default: false },
    },
  });
  const { url, baseline: file, approve } = values;
  if (!URL.canParse(url)) throw new WrongWords(`${url} is no address.`);

  const pages = await Promise.all(PAYMENT_PAGES.map((page) => fetchPaymentPage(url, page)));
  const findings = pages.flatMap((page) => page.findings);
  const faults = [...faultsOf(findings), ...strangersAmong(pages.flatMap((page) => page.parts))];
  const approved = await readApprovedList(file);
  const changes = compareFindings(approved?.findings ?? [], findings);
  const at = new Date().toISOString();

  for (const line of approved === null ? [] : changes) print(line);
  if (faults.length > 0) {
    await recordRun(file, { at, url, changes: [...changes, ...faults], approved: false });
    throw new CliFailure('The payment pages are not as they may be:', faults);
  }
  await recordRun(file, { at, url, changes, approved: approve });
  if (approve) {
    await writeApprovedList(file, { approvedAt: at, url, findings });
    print(`Approved: ${findings.length} findings on ${PAYMENT_PAGES.length} pages, kept in ${file}.`);
    return;
  }
  if (approved === null) {
    throw new CliFailure(`Nothing has been approved yet: there is no ${file}.`, [
      'When the pages are as they should be, run this again with --approve.',
    ]);
  }
  if (changes.length > 0) {
    throw new CliFailure(`The payment pages have changed since ${approved.approvedAt}.`, [
      'If this was a release of ours or of the card provider, look at it, then run this again with --approve.',
      'If nobody knows why, take the pages off the net.',
    ]);
  }
  print(
    `Unchanged since ${approved.approvedAt}: ${findings.length} findings on ${PAYMENT_PAGES.length} pages.`,
  );
};

type Fetched = Awaited<ReturnType<typeof fetchPaymentPage>>;

/** Faults that no approval can excuse. */
function faultsOf(findings: Fetched['findings']): string[] {
  return findings
    .filter(({ kind }) => kind === 'broken pin' || kind === 'markup')
    .map(({ page, kind, name, value }) => `${page}  ${kind}  ${name}: ${value}`);
}

/** Parts without a line in the inventory, so nobody has said whose they are and why they are there. */
function strangersAmong(parts: Fetched['parts']): string[] {
  const inventory = readInventory();
  const strangers = parts.filter((part) => findLine(inventory, part) === undefined);
  return [
    ...new Set(strangers.map(({ kind, name }) => `no line in the inventory: ${kind} ${name.slice(0, 80)}`)),
  ];
}
