import { byWords } from './by-words.ts';
import { EmailText } from './email-text.tsx';

/** Who did something; an address in it may only break before its @. */
export const ByText = ({ by }: { by: string }) => <EmailText email={byWords(by)} />;
