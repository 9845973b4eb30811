/** What a form is told about its submission. */
export type ActionResult = {
  success: boolean;
  /** For people; empty where the page that `goTo` leads to says it all. */
  message: string;
  fieldErrors?: FieldErrors;
  showResendConfirmEmail?: boolean;
  /** Where the person goes now, and what that page finds in its history state. */
  goTo?: { path: string; state?: PageState };
};

/** Field name to its messages. */
export type FieldErrors = Record<string, string[]>;

/** What one page leaves for the next in the history's state. */
export type PageState = { flash?: string; [key: string]: unknown };
