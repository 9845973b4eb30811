import { lazy, Suspense } from 'react';
import { useQuestions } from '../../../lib/questions.ts';

const QuestionDialog = lazy(() => import('./question-dialog.tsx'));

/** The dialogs that a call may open over any screen. Their code loads with the first one. */
export function Questions(person: { email: string; isDemo: boolean }) {
  const questions = useQuestions();
  return (
    <Suspense>
      {questions.map((question) => (
        <QuestionDialog key={question.id} question={question} {...person} />
      ))}
    </Suspense>
  );
}
