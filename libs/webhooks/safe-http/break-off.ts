const calls = new WeakMap<AbortSignal, Set<() => void>>();

const callsOf = (signal: AbortSignal): Set<() => void> => {
  const known = calls.get(signal);
  if (known) return known;
  const made = new Set<() => void>();
  calls.set(signal, made);
  const all = (): void => {
    for (const call of made) call();
  };
  signal.addEventListener('abort', all, { once: true });
  return made;
};

/** Calls when `signal` aborts, until what it returns is called. Hundreds of attempts share a signal: it hears one. */
export const onAbort = (signal: AbortSignal | undefined, call: () => void): (() => void) => {
  if (!signal) return () => undefined;
  const all = callsOf(signal);
  all.add(call);
  return () => all.delete(call);
};
