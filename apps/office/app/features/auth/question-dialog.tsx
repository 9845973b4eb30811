import type { Question } from '../../lib/questions.ts';
import { StepUpDialog } from './step-up-dialog.tsx';
import { StillThereDialog } from './still-there-dialog.tsx';

export default function QuestionDialog({ question, isDemo }: { question: Question; isDemo: boolean }) {
  return question.kind === 'still-there' ? (
    <StillThereDialog question={question} />
  ) : (
    <StepUpDialog question={question} isDemo={isDemo} />
  );
}
