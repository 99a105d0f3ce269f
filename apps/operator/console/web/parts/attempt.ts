import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { reasonOf } from '../calls.ts';
import { CallError } from '../refusals.ts';
import { confirmToken } from '../session/session.ts';
import { valuesIn } from './fields.tsx';
import type { Question } from './question.ts';

const NEEDS_TOKEN = 'session_confirmation_needed';
const NEEDS_REASON = 'session_reason_needed';
const NEEDS_APPROVAL = 'approval_needed';

/** What the server asked for beyond what was asked for at first. */
export type Wanted = { readonly reason?: boolean; readonly token?: boolean };

/** Until it is sent it can be left, and is not sent then. */
type Busy = 'confirming' | 'acting' | undefined;

const wantedAfter = (code: string | undefined): Wanted | undefined => {
  if (code === NEEDS_TOKEN) return { token: true };
  return code === NEEDS_REASON ? { reason: true } : undefined;
};

const saidOf = (error: unknown): string => {
  const code = error instanceof CallError ? error.code : undefined;
  if (code === NEEDS_TOKEN) return 'Show again who you are to go on.';
  if (code === NEEDS_REASON) return 'This needs a reason.';
  return reasonOf(error);
};

/** What waits is sent once, whoever of his pages is the first to see it let through; it may have been refused there. */
const endOf = (state: string): string =>
  state === 'done'
    ? 'It was let through, and another page of yours has sent it: see there, or in the history, what came of it.'
    : `The second person has not let it through: ${state}.`;

/** Sends what was filled in, once at a time, and keeps what came of it. */
export const useAttempt = ({ dangerous = false, act, shows }: Question, close: () => void) => {
  const doing = useRef<Busy>(undefined);
  const left = useRef(false);
  const [busy, setBusy] = useState<Busy>();
  const [wanted, setWanted] = useState<Wanted>({ reason: dangerous });
  const [problem, setProblem] = useState<string>();
  const [approval, setApproval] = useState<number>();
  const [shown, setShown] = useState<ComponentChildren>();
  const begin = (what: Busy): void => {
    doing.current = what;
    setBusy(what);
  };
  const attempt = async (form: FormData): Promise<void> => {
    const { token, reason = '', ...values } = valuesIn(form);
    if (token !== undefined) await confirmToken(token);
    if (left.current) return;
    begin('acting');
    setWanted((before) => ({ ...before, token: false }));
    const answer = await act(reason, values);
    const after = shows?.(answer);
    if (after === undefined) close();
    else setShown(after);
  };
  const failed = (error: unknown): void => {
    const { code, approval: held } = error instanceof CallError ? error : {};
    if (code === NEEDS_APPROVAL) setApproval(held);
    else setApproval(undefined);
    const more = wantedAfter(code);
    if (more) setWanted((before) => ({ ...before, ...more }));
    setProblem(code === NEEDS_APPROVAL ? undefined : saidOf(error));
  };
  const send = async (form: FormData): Promise<void> => {
    // A double click comes before anything is drawn anew.
    if (doing.current || left.current) return;
    begin('confirming');
    setProblem(undefined);
    await attempt(form).catch(failed);
    begin(undefined);
  };
  const decided = (state: string, form: HTMLFormElement | null): void => {
    setApproval(undefined);
    if (state === 'approved' && form) void send(new FormData(form));
    else setProblem(endOf(state));
  };
  /** False: it is sent, and its answer has to be seen. */
  const leave = (): boolean => {
    left.current = doing.current !== 'acting';
    return left.current;
  };
  return { busy, wanted, problem, approval, shown, send, decided, leave };
};
