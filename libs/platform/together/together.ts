import { setImmediate as immediate } from 'node:timers/promises';

export type TogetherOptions = {
  /** Calls under way at once. */
  readonly lanes?: number;
  /** Most that one call takes. */
  readonly most?: number;
};

type Waiting<Asked, Answer> = {
  readonly asked: Asked;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Whoever asks goes at once while a lane is free; those who come while all are busy go together in the next call. So one
 * alone pays nothing, and many cost few statements. `answer` answers in the order asked; what it throws, all of that call get,
 * and what one of its answers comes to, that one alone.
 */
export const together = <Asked, Answer>(
  answer: (asked: readonly Asked[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
  { lanes = 1, most = 100 }: TogetherOptions = {},
): ((asked: Asked) => Promise<Answer>) => {
  const waiting: Waiting<Asked, Answer>[] = [];
  let busy = 0;

  const call = async (some: readonly Waiting<Asked, Answer>[]): Promise<void> => {
    try {
      const answers = await answer(some.map(({ asked }) => asked));
      if (answers.length !== some.length) throw new Error(`${some.length} asked, and ${answers.length} were answered`);
      for (const [nth, each] of answers.entries()) some[nth]?.resolve(each);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  };

  const runLane = async (): Promise<void> => {
    busy++;
    while (waiting.length > 0) {
      // What the same turn of the event loop brings goes along.
      await immediate();
      const some = waiting.splice(0, most);
      if (some.length > 0) await call(some);
    }
    busy--;
  };

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      if (busy < lanes) void runLane();
    });
};
