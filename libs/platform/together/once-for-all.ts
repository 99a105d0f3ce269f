type Line<Answer> = { readonly now: Promise<Answer>; next: Promise<Answer> | undefined };

/**
 * Of one thing one answer is under way, and one behind it for all who asked meanwhile: nobody is given what was begun
 * before he asked.
 */
export const onceForAll = <Key, Answer>(ask: (key: Key) => Promise<Answer>): ((key: Key) => Promise<Answer>) => {
  const lines = new Map<Key, Line<Answer>>();

  const begin = (key: Key): Promise<Answer> => {
    const line: Line<Answer> = { now: ask(key), next: undefined };
    lines.set(key, line);
    const end = (): void => {
      if (!line.next) lines.delete(key);
    };
    line.now.then(end, end);
    return line.now;
  };

  return (key) => {
    const line = lines.get(key);
    if (!line) return begin(key);
    const after = (): Promise<Answer> => begin(key);
    line.next ??= line.now.then(after, after);
    return line.next;
  };
};
