import { useEffect, useState } from 'preact/hooks';
import type { PulseBody } from '../../../pulse/pulse-body.ts';
import { call } from '../calls.ts';
import { PATIENCE_MS } from './patience.ts';

const EVERY_MS = 2_000;

const listeners = new Set<(pulse: PulseBody) => void>();
let last: PulseBody | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

const ask = async (): Promise<void> => {
  timer = undefined;
  const abort = new AbortController();
  const patience = setTimeout(() => abort.abort(), PATIENCE_MS);
  try {
    const pulse = await call<PulseBody>('/operator/pulse', { byItself: true, signal: abort.signal });
    last = pulse;
    for (const listener of listeners) listener(pulse);
  } catch {
    // The shell says how old what it shows is.
  }
  clearTimeout(patience);
  plan();
};

/** One question for the whole page, and none while nobody looks. */
const plan = (): void => {
  if (timer !== undefined || listeners.size === 0 || document.hidden) return;
  timer = setTimeout(() => void ask(), last ? EVERY_MS : 0);
};

document.addEventListener('visibilitychange', () => {
  clearTimeout(timer);
  timer = undefined;
  if (!document.hidden) last = undefined;
  plan();
});

/** What the service last said of itself. */
export const usePulse = (wanted = true): PulseBody | undefined => {
  const [pulse, setPulse] = useState(last);
  useEffect(() => {
    if (!wanted) return;
    listeners.add(setPulse);
    plan();
    return () => void listeners.delete(setPulse);
  }, [wanted]);
  return wanted ? pulse : undefined;
};
