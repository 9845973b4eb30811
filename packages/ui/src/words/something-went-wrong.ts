/** The specification's sentence where no other fits. */
export const SOMETHING_WENT_WRONG = 'Something went wrong. Please try again.';
