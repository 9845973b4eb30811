import * as z from 'zod';

/** What a browser blocked or found wrong, without anything about the person. */
export type BrowserReport = {
  /** `csp-violation`, `deprecation`, … */
  type: string | undefined;
  /** The path of the page. */
  page: string | undefined;
  /** The violated directive. */
  directive: string | undefined;
  /** `inline`, `eval`, one of our paths, or the origin of another site. */
  blocked: string | undefined;
  disposition: string | undefined;
  /** The origin of the offending script, in the form of `blocked`. */
  source: string | undefined;
  line: number | undefined;
};

const text = z.string().max(8_000);

/** The older format, one report per request. */
const cspReportSchema = z.object({
  'csp-report': z.object({
    'document-uri': text,
    'effective-directive': text.optional(),
    'violated-directive': text.optional(),
    'blocked-uri': text.optional(),
    disposition: text.optional(),
    'source-file': text.optional(),
    'line-number': z.number().optional(),
  }),
});

const reportSchema = z.object({
  type: z.string().max(100),
  url: text,
  body: z
    .object({
      effectiveDirective: text.optional(),
      blockedURL: text.nullish(),
      disposition: text.optional(),
      sourceFile: text.nullish(),
      lineNumber: z.number().nullish(),
    })
    .nullish(),
});

const MOST_REPORTS_AT_ONCE = 20;

/** Reads a request's reports in either format that browsers send; anything else yields none. */
export function readBrowserReports(body: unknown): BrowserReport[] {
  const old = cspReportSchema.safeParse(body);
  if (old.success) return [readCspReport(old.data['csp-report'])];
  const reports = Array.isArray(body) ? body.slice(0, MOST_REPORTS_AT_ONCE) : [];
  return reports.flatMap((report) => {
    const parsed = reportSchema.safeParse(report);
    return parsed.success ? [readReport(parsed.data)] : [];
  });
}

function readCspReport(report: z.infer<typeof cspReportSchema>['csp-report']): BrowserReport {
  const page = report['document-uri'];
  return {
    type: 'csp-violation',
    page: place(page, page),
    directive: word(report['effective-directive'] ?? report['violated-directive']),
    blocked: place(report['blocked-uri'], page),
    disposition: word(report.disposition),
    source: place(report['source-file'], page),
    line: report['line-number'],
  };
}

function readReport({ type, url, body }: z.infer<typeof reportSchema>): BrowserReport {
  return {
    type: word(type),
    page: place(url, url),
    directive: word(body?.effectiveDirective),
    blocked: place(body?.blockedURL, url),
    disposition: word(body?.disposition),
    source: place(body?.sourceFile, url),
    line: body?.lineNumber ?? undefined,
  };
}

/** Our own URLs become their path, which names a screen or file; others their origin. Drops every query. */
function place(address: string | null | undefined, page: string): string | undefined {
  if (!address) return undefined;
  if (!URL.canParse(address)) return word(address);
  const { origin, protocol, pathname } = new URL(address);
  if (origin === 'null') return protocol;
  const isOurs = URL.canParse(page) && new URL(page).origin === origin;
  return (isOurs ? pathname : origin).slice(0, 200);
}

/** Keeps only keywords of the standard, such as `script-src-elem` or `inline`. */
function word(value: string | undefined): string | undefined {
  return value === undefined ? undefined : (/^[a-z-]{1,40}/i.exec(value)?.[0] ?? 'unreadable');
}
