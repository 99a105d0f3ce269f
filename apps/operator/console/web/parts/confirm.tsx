import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalBody } from '../../../approvals/approval-bodies.ts';
import { CallError, call, reasonOf } from '../calls.ts';
import { confirmToken, useMe } from '../session/session.ts';
import { type Field, FieldRow, type Values, valuesIn } from './fields.tsx';

export type Question = {
  readonly title: string;
  /** What is now, what will be, and how many it touches. */
  readonly children: ComponentChildren;
  readonly label: string;
  /** Asked for a reason, and for the token where it was not shown a moment ago. */
  readonly dangerous?: boolean;
  readonly fields?: readonly Field[];
  /** What it resolves to, where it is to be seen, is shown until somebody closes it. */
  readonly act: (reason: string, values: Values) => Promise<unknown>;
  readonly shows?: (answer: unknown) => ComponentChildren;
};

type Ask = (question: Question) => void;

const AskContext = createContext<Ask>(() => undefined);

/** Asks before something is done, in a dialog that gives the focus back. */
export const useAsk = (): Ask => useContext(AskContext);

const NEEDS_TOKEN = 'session_confirmation_needed';
const NEEDS_REASON = 'session_reason_needed';
const NEEDS_APPROVAL = 'approval_needed';
const ASKED_EVERY_MS = 2_000;

/** What the server asked for beyond what was asked for at first. */
type Wanted = { readonly reason?: boolean; readonly token?: boolean };

const Fields = ({ fields, wanted }: { fields: readonly Field[]; wanted: Wanted }) => (
  <>
    {fields.map((field) => (
      <FieldRow key={field.name} field={field} />
    ))}
    {wanted.reason && (
      <label>
        Reason, for the audit trail
        <textarea name="reason" required maxlength={500} rows={2} />
      </label>
    )}
    {wanted.token && <Again />}
  </>
);

/** Whoever has no token goes to the provider, in a window of its own: what is filled in here stays. */
const Again = () =>
  useMe().confirms_by === 'provider' ? (
    <p>
      <a href="/console/session/provider?confirm" target="_blank" rel="noreferrer">
        Show your provider again who you are
      </a>
    </p>
  ) : (
    <label>
      Your token again
      <input name="token" type="password" required autocomplete="off" />
    </label>
  );

/** Until somebody else has decided; what was asked for is sent again once he has let it through. */
const useApproval = (approval: number | undefined, decided: (state: string) => void): void => {
  useEffect(() => {
    if (approval === undefined) return;
    const timer = setInterval(() => {
      call<ApprovalBody>(`/operator/approvals/${approval}`, { byItself: true }).then(
        ({ state }) => state !== 'asked' && decided(state),
        () => undefined,
      );
    }, ASKED_EVERY_MS);
    return () => clearInterval(timer);
  }, [approval]);
};

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

/** Sends what was filled in, once at a time, and keeps what came of it. */
const useAttempt = ({ dangerous = false, act, shows }: Question, close: () => void) => {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [wanted, setWanted] = useState<Wanted>({ reason: dangerous });
  const [problem, setProblem] = useState<string>();
  const [approval, setApproval] = useState<number>();
  const [shown, setShown] = useState<ComponentChildren>();
  const attempt = async (form: FormData): Promise<void> => {
    const { token, reason = '', ...values } = valuesIn(form);
    if (token !== undefined) await confirmToken(token);
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
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblem(undefined);
    await attempt(form).catch(failed);
    running.current = false;
    setBusy(false);
  };
  const decided = (state: string, form: HTMLFormElement | null): void => {
    setApproval(undefined);
    if (state === 'approved' && form) void send(new FormData(form));
    else setProblem(`The second person has not let it through: ${state}.`);
  };
  return { busy, wanted, problem, approval, shown, send, decided };
};

const Dialog = ({ question, onDone }: { question: Question; onDone: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const close = (): void => dialog.current?.close();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const { busy, wanted, problem, approval, shown, send, decided } = useAttempt(question, close);
  useApproval(approval, (state) => decided(state, form.current));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void send(new FormData(event.currentTarget as HTMLFormElement));
  };
  const { title, children, label, fields = [] } = question;
  return (
    <dialog class="asked" ref={dialog} aria-labelledby="question" onClose={onDone}>
      <form ref={form} onSubmit={submit}>
        <h2 id="question">{title}</h2>
        {shown ?? (
          <>
            {children}
            <Fields fields={fields} wanted={wanted} />
          </>
        )}
        <p role="status">
          {approval !== undefined &&
            `This waits for a second person (approval ${approval}); it goes on by itself then.`}
        </p>
        <p role="alert" class="problem">
          {problem}
        </p>
        <div class="buttons">
          {shown === undefined && (
            <button type="submit" class="main" disabled={busy || approval !== undefined}>
              {label}
            </button>
          )}
          <button type="button" onClick={close}>
            {shown === undefined ? 'Leave it' : 'Close'}
          </button>
        </div>
      </form>
    </dialog>
  );
};

export const Asking = ({ children }: { children: ComponentChildren }) => {
  const [question, setQuestion] = useState<Question>();
  return (
    <AskContext.Provider value={setQuestion}>
      {children}
      {question && <Dialog question={question} onDone={() => setQuestion(undefined)} />}
    </AskContext.Provider>
  );
};
