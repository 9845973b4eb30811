import type { Question } from '../../../lib/questions.ts';
import { SignInAgainDialog } from './sign-in-again-dialog.tsx';
import { StepUpDialog } from './step-up-dialog.tsx';
import { StillThereDialog } from './still-there-dialog.tsx';

export default function QuestionDialog({
  question,
  ...person
}: {
  question: Question;
  /** The person signed in so far. */
  email: string;
  isDemo: boolean;
}) {
  switch (question.kind) {
    case 'still-there':
      return <StillThereDialog question={question} />;
    case 'sign-in-again':
      return <SignInAgainDialog question={question} {...person} />;
    case 'step-up':
      return <StepUpDialog question={question} isDemo={person.isDemo} />;
  }
}
