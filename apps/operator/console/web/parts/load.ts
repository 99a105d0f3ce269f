import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { call, LOOK_AGAIN, reasonOf, type Sent } from '../calls.ts';
import { CallError } from '../refusals.ts';
import { PATIENCE_MS, unheard } from './patience.ts';
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

type Options<T> = {
  /** Loaded anew when something happened. */
  readonly live?: boolean;
  /** What only grows: where the rest of it is found, and how it is put to what is there. */
  readonly rest?: { readonly of: (known: T) => string; readonly put: (known: T, rest: T) => T };
  /** Loaded anew after so many milliseconds, while somebody looks. */
  readonly every?: number;
  /** How long its first answer is waited for, in milliseconds. */
  readonly within?: number;
};

const BEHIND = 'list_behind';

type Answered<T> = { readonly data: T; readonly at: Date; readonly problem?: string };

/** A list whose read model stands still is shown as it was, with its age: that is when somebody has to look. */
export const answered = async <T>(path: string, sent: Sent = {}): Promise<Answered<T>> => {
  try {
    return { data: await call<T>(path, sent), at: new Date() };
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== BEHIND) throw error;
    const data = await call<T & { as_of?: string }>(`${path}${path.includes('?') ? '&' : '?'}stale=allow`, sent);
    return { data, at: new Date(data.as_of ?? 0), problem: error.message };
  }
};

/** What a route answers; undefined: nothing is wanted yet. */
export const useLoad = <T>(
  path: string | undefined,
  { live = false, every, rest, within = PATIENCE_MS }: Options<T> = {},
): Loaded<T> => {
  const [state, setState] = useState<State<T>>({ path: '' });
  const [turn, setTurn] = useState(0);
  const newest = usePulse(live)?.head;
  const shown = useRef<{ readonly path: string; readonly data?: T }>({ path: '' });
  const busy = useRef(false);
  const head = useRef(newest);
  // What is on its way is waited for: a long answer would never come while something happens all the time.
  if (!busy.current) head.current = newest;
  // A turn and a head are reasons to load anew.
  useEffect(() => {
    if (path === undefined) return;
    const abort = new AbortController();
    let left = false;
    const byItself = shown.current.path === path;
    const known = byItself ? shown.current.data : undefined;
    const patience = known ? PATIENCE_MS : within;
    const timer = setTimeout(() => abort.abort(), patience);
    busy.current = true;
    answered<T>(known && rest ? rest.of(known) : path, { byItself, signal: abort.signal }).then(
      (answer) => {
        const data = known && rest ? rest.put(known, answer.data) : answer.data;
        shown.current = { path, data };
        busy.current = false;
        setState({ path, ...answer, data });
      },
      (error: unknown) => {
        if (left) return;
        busy.current = false;
        const isUnheard = abort.signal.aborted;
        const problem = isUnheard ? unheard(patience) : reasonOf(error);
        setState((before) => ({ ...(before.path === path ? before : {}), path, problem }));
        if (!isUnheard) return;
        // Nobody asks for it a second time: that keeps no session alive.
        if (!byItself) shown.current = { path };
        setTurn((before) => before + 1);
      },
    );
    return () => {
      left = true;
      clearTimeout(timer);
      abort.abort();
    };
  }, [path, turn, head.current]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  useEffect(() => {
    addEventListener(LOOK_AGAIN, reload);
    return () => removeEventListener(LOOK_AGAIN, reload);
  }, [reload]);
  useEffect(() => {
    if (every === undefined) return;
    const timer = setInterval(() => {
      if (!document.hidden && !busy.current) setTurn((before) => before + 1);
    }, every);
    return () => clearInterval(timer);
  }, [every]);
  const current = state.path === path ? state : undefined;
  return { data: current?.data, problem: current?.problem, at: current?.at, reload };
};
