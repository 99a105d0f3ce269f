import { shownSafely } from '#platform/shown-text';

export type Progress = {
  /** So much of so much is done; `what` says of what. */
  readonly at: (done: number, total: number) => void;
  readonly end: () => void;
};

const REDRAWN_EVERY_MS = 200;
const TOLD_EVERY_MS = 5_000;

const inWords = (seconds: number): string => {
  if (!Number.isFinite(seconds)) return '-';
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3_600) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.floor(seconds / 3_600)} h ${Math.ceil((seconds % 3_600) / 60)} min`;
};

/** Rate and time left are of the whole run so far, which jumps less than the last moment does. */
export const progressLine = (what: string, unit: string, done: number, total: number, elapsedMs: number): string => {
  const rate = elapsedMs > 0 ? (done * 1_000) / elapsedMs : 0;
  const share = total > 0 ? Math.floor((100 * done) / total) : 100;
  const left = rate > 0 ? inWords((total - done) / rate) : '-';
  return `${what}: ${share} % (${done} of ${total}), ${Math.round(rate)} ${unit}/s, ${left} left`;
};

/** One line that is drawn again on a terminal, a line now and then elsewhere; always on stderr. */
export const openProgress = (what: string, unit: string): Progress => {
  const { stderr } = process;
  const started = performance.now();
  let [shown, first] = [Number.NEGATIVE_INFINITY, 0];
  return {
    at: (done, total) => {
      const now = performance.now();
      if (shown < 0) first = done;
      const complete = done >= total;
      if (!complete && now - shown < (stderr.isTTY ? REDRAWN_EVERY_MS : TOLD_EVERY_MS)) return;
      shown = now;
      const text = shownSafely(progressLine(what, unit, done - first, total - first, now - started));
      stderr.write(stderr.isTTY ? `\r\u001b[2K${text}` : `${text}\n`);
    },
    end: () => {
      if (stderr.isTTY && shown > 0) stderr.write('\n');
    },
  };
};
