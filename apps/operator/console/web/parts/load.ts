import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { call, reasonOf } from '../calls.ts';
import { usePulse } from './pulse.ts';

export type Loaded<T> = {
  readonly data: T | undefined;
  /** Why the last try failed; what was there before stays. */
  readonly problem: string | undefined;
  /** When the data came. */
  readonly at: Date | undefined;
  readonly reload: () => void;
};

type State<T> = { readonly path: string; readonly data?: T; readonly problem?: string; readonly at?: Date };

type Options = {
  /** Loaded anew when something happened. */
  readonly live?: boolean;
  /** Loaded anew after so many milliseconds, while somebody looks. */
  readonly every?: number;
};

/** What a route answers; undefined: nothing is wanted yet. */
export const useLoad = <T>(path: string | undefined, { live = false, every }: Options = {}): Loaded<T> => {
  const [state, setState] = useState<State<T>>({ path: '' });
  const [turn, setTurn] = useState(0);
  const head = usePulse(live)?.head;
  const shown = useRef('');
  // A turn and a head are reasons to load anew.
  useEffect(() => {
    if (path === undefined) return;
    const abort = new AbortController();
    const byItself = shown.current === path;
    call<T>(path, { byItself, signal: abort.signal }).then(
      (data) => {
        shown.current = path;
        setState({ path, data, at: new Date() });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setState((before) => ({ ...(before.path === path ? before : {}), path, problem: reasonOf(error) }));
      },
    );
    return () => abort.abort();
  }, [path, turn, head]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  useEffect(() => {
    if (every === undefined) return;
    const timer = setInterval(() => {
      if (!document.hidden) setTurn((before) => before + 1);
    }, every);
    return () => clearInterval(timer);
  }, [every]);
  const current = state.path === path ? state : undefined;
  return { data: current?.data, problem: current?.problem, at: current?.at, reload };
};
