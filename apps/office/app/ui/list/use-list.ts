import type { RefusedCall } from '@brightpane/ui/forms/ask-server';
import { useEffect, useState } from 'react';
import { useNavigation } from 'react-router';
import type { ListAnswer } from './list-answer.ts';
import type { ListLoad } from './load-list.ts';

export type ListState<Page> = {
  /** The last page that loaded. It stays while another loads, and if that is refused. */
  page: Page | null;
  /** Why the last call was refused; `null` if it wasn't. */
  problem: RefusedCall | null;
  isLoading: boolean;
};

/** The list's current state. */
export function useList<Row, Page extends ListAnswer<Row>>(load: ListLoad<Row, Page>): ListState<Page> {
  const [latest, setLatest] = useState<{
    load: ListLoad<Row, Page> | null;
    page: Page | null;
    problem: RefusedCall | null;
  }>({ load: null, page: null, problem: null });
  const isGoing = useNavigation().state === 'loading';
  useEffect(() => {
    let isCurrent = true;
    void load.answer.then((answer) => {
      if (!isCurrent) return;
      setLatest((before) =>
        answer.ok
          ? { load, page: answer.data, problem: null }
          : { load, page: before.page, problem: answer.problem },
      );
    });
    return () => {
      isCurrent = false;
    };
  }, [load]);
  const { page, problem } = latest;
  return { page, problem, isLoading: latest.load !== load || isGoing };
}
