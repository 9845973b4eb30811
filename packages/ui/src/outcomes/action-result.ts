/** A form's outcome. */
export type ActionResult = {
  success: boolean;
  /** Empty if the page behind `goTo` says it all. */
  message: string;
  fieldErrors?: FieldErrors;
  showResendConfirmEmail?: boolean;
  /** Where to go next, and that page's history state. */
  goTo?: { path: string; state?: PageState };
};

/** Field name to its messages. */
export type FieldErrors = Record<string, string[]>;

/** What a page leaves for the next one in the history state. */
export type PageState = { flash?: string; [key: string]: unknown };
