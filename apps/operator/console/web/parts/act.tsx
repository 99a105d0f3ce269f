import { useCan } from '../session/session.ts';
import { useAsk } from './confirm.tsx';
import type { Question } from './question.ts';

type ActProps = {
  /** The operation that it takes: whoever may not call it does not see it. */
  readonly needs: string;
  readonly text: string;
  /** What is read out where the text alone does not say of what. */
  readonly label?: string;
  readonly ask: Question;
};

/** A button that asks before it does something. */
export const Act = ({ needs, text, label, ask: question }: ActProps) => {
  const can = useCan();
  const ask = useAsk();
  if (!can(needs)) return null;
  return (
    <button type="button" onClick={() => ask(question)} {...(label !== undefined && { 'aria-label': label })}>
      {text}…
    </button>
  );
};
